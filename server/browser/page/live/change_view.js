// One change of an item: the image before and the image after side by side, what differs marked.

import { h } from '../dom.js';
import { bytes, plural, time } from '../format.js';
import { copyButton, tableHead } from '../widgets.js';
import { typedText } from '../values/typed.js';
import { cut, preview, visible } from '../values/preview.js';
import { contentOf, isSet, memberType, typeOf } from '../values/types.js';
import { keyText, kKinds } from './changes.js';
import { differences, middle, pathText, setDifference } from './image_difference.js';

const kTextShown = 2000;   // characters of a value
const kAround = 60;        // characters of what did not change, before and behind what did
const kMembersShown = 50;
const kSigns = { added: ['+', 'added'], removed: ['−', 'removed'], changed: ['≠', 'changed'], same: ['', 'unchanged'] };

const typeTag = (value) => h('span', { class: 'type' }, typeOf(value));

function whole(value) {
  return [h('bdi', {}, preview(value, kTextShown)), ' ', typeTag(value)];
}

function absent(text) {
  return h('span', { class: 'quiet' }, text);
}

/** Two strings, with the part that differs marked in each: [before, after]. */
function markedTexts(before, after) {
  const parts = middle(contentOf(before), contentOf(after));
  const start = parts.start.length > kAround ? `…${visible(parts.start.slice(-kAround))}` : visible(parts.start);
  const end = visible(cut(parts.end, kAround));
  const side = (tag, text, value) => [
    h('bdi', {}, start, text && h(tag, {}, visible(cut(text, kTextShown))), end), ' ', typeTag(value),
  ];
  return [side('del', parts.before, before), side('ins', parts.after, after)];
}

function markedSets(before, after) {
  const { added, removed } = setDifference(before, after);
  const type = memberType(typeOf(before));
  const kept = after[typeOf(after)].length - added.length;
  const side = (tag, members, value) => [
    members.slice(0, kMembersShown).map((member) => [h(tag, {}, h('bdi', {}, preview({ [type]: member }, 200))), ' ']),
    members.length > kMembersShown && `… ${members.length - kMembersShown} more `,
    kept > 0 && h('span', { class: 'quiet' }, `and ${kept} in both `), typeTag(value),
  ];
  return [side('del', removed, before), side('ins', added, after)];
}

function cellsOf({ kind, before, after }) {
  if (kind === 'added') return [absent('–'), whole(after)];
  if (kind === 'removed') return [whole(before), absent('–')];
  if (kind === 'same') return [whole(before), whole(after)];
  const type = typeOf(before);
  if (type !== typeOf(after)) return [h('del', {}, whole(before)), h('ins', {}, whole(after))];
  if (isSet(type)) return markedSets(before, after);
  if (type === 'S') return markedTexts(before, after);
  return [h('del', {}, whole(before)), h('ins', {}, whole(after))];
}

function rowOf(row) {
  const [sign, word] = kSigns[row.kind];
  const [before, after] = cellsOf(row);
  return h('tr', { class: row.kind },
    h('td', { class: 'sign' }, h('span', { 'aria-hidden': true }, sign), h('span', { class: 'off-screen' }, word)),
    h('th', { scope: 'row' }, h('bdi', {}, visible(cut(pathText(row.path), 200)))),
    h('td', {}, before), h('td', {}, after));
}

function comparison(caption, rows) {
  return h('table', { class: 'grid images' },
    h('caption', { class: 'off-screen' }, caption),
    tableHead([h('span', { class: 'off-screen' }, 'Change'), 'Attribute', 'Before', 'After']),
    h('tbody', {}, rows.map(rowOf)));
}

/** Of an item that is new or deleted there is one image. */
function oneImage(image, label) {
  const { rows, cut: isCut } = differences({}, image);
  return [
    h('table', { class: 'grid images one' },
      h('caption', { class: 'off-screen' }, label),
      tableHead(['Attribute', label]),
      h('tbody', {}, rows.map(({ path, after }) => h('tr', {},
        h('th', { scope: 'row' }, h('bdi', {}, visible(cut(pathText(path), 200)))), h('td', {}, whole(after)))))),
    isCut && h('p', { class: 'quiet' }, 'The item has more attributes than this table shows.'),
  ];
}

function bothImages(before, after) {
  const { rows, cut: isCut } = differences(before, after);
  const differing = rows.filter(({ kind }) => kind !== 'same');
  const same = rows.filter(({ kind }) => kind === 'same');
  return [
    differing.length > 0 ? comparison('Changed values', differing)
      : h('p', { class: 'quiet' }, 'The images differ only in the order of set members.'),
    same.length > 0 && h('details', {},
      h('summary', {}, plural(same.length, 'unchanged value')),
      comparison('Unchanged values', same)),
    isCut && h('p', { class: 'quiet' }, 'The images have more attributes than this comparison shows.'),
  ];
}

const kWithout = {
  KEYS_ONLY: 'The view type of this stream is KEYS_ONLY. Records of NEW_AND_OLD_IMAGES have both images.',
  NEW_IMAGE: 'The view type of this stream is NEW_IMAGE. Records of NEW_AND_OLD_IMAGES also have the old image.',
  OLD_IMAGE: 'The view type of this stream is OLD_IMAGE. Records of NEW_AND_OLD_IMAGES also have the new image.',
};

function images({ kind, before, after, keys, view }) {
  if (before && after) return bothImages(before, after);
  const image = after ?? before;
  const shown = image ? oneImage(image, after ? 'After' : 'Before') : oneImage(keys, 'Key');
  const expected = { INSERT: after, REMOVE: before, MODIFY: before && after }[kind];
  return [shown, !expected && h('p', { class: 'hint' }, kWithout[view] ?? '')];
}

/** `actions`: nodes that stand beside the copies. */
export function changeView(change, actions = []) {
  const { kind, before, after } = change;
  return [
    h('div', { class: 'toolbar' },
      h('span', { class: ['badge', kBadges[kind]] }, kKinds[kind] ?? kind),
      h('h2', { class: 'grow mono' }, h('bdi', {}, keyText(change.keys, 200))),
      before && copyButton(() => typedText(before), 'Copy old image'),
      after && copyButton(() => typedText(after), 'Copy new image'),
      actions),
    h('p', { class: 'quiet' },
      time(change.at), change.byTimeToLive && ' · deleted by time to live', change.bytes && ` · ${bytes(change.bytes)}`,
      ` · sequence number ${change.sequence}`),
    images(change),
  ];
}

export const kBadges = { INSERT: 'good', MODIFY: 'warn', REMOVE: 'bad' };
