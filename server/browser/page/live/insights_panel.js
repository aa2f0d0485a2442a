// The counts of a table or of an index, and what switches them.

import { h } from '../dom.js';
import { number, plural } from '../format.js';
import { hrefTo } from '../router.js';
import { tableHead, withFlags } from '../widgets.js';
import { itemsPath } from '../items/follow.js';
import { cut, preview, visible } from '../values/preview.js';
import { countText, choiceOf, kAllKeys, kThrottledKeys } from './insights.js';

const kShownName = 60;  // characters
const kShownValue = 100;

// Times as a bar: what is sure is darker than what may be.
function bar({ count, error }, most) {
  const part = (kind, times) => {
    const node = h('span', { class: kind });
    node.style.setProperty('--part', String(times / most));
    return node;
  };
  return h('span', { class: 'times', 'aria-hidden': true },
    part('sure', count - error), error > 0 && part('perhaps', error));
}

function row({ at, table, source, names }, used, most) {
  const texts = names.map((name) => (Object.hasOwn(used.key, name) ? preview(used.key[name], kShownValue) : ''));
  const link = h('a', {
    href: hrefTo(itemsPath(table, choiceOf(source, used.key))),
    title: 'Show the items with this key',
    'aria-label': texts.join(', '),
    dataset: { at: `${at} ${JSON.stringify(used.key)}` },
  }, texts[0]);
  return h('tr', {}, h('td', {}, link), texts.slice(1).map((text) => h('td', {}, text)),
    h('td', { class: 'number' }, countText(used, number)), h('td', {}, bar(used, most)));
}

// place: {at, table, source}, of which `at` is unlike those of all other places.
function list(place, title, used, attributes, empty) {
  const names = attributes.map(({ name }) => name);
  const at = `${place.at} ${title}`;
  const most = Math.max(1, ...used.map(({ count }) => count));
  return h('section', { class: 'key-list' }, h('h3', {}, title),
    used.length === 0 ? h('p', { class: 'quiet' }, withFlags(empty))
      : h('div', { class: 'scroll' }, h('table', { class: 'grid' },
        h('caption', { class: 'off-screen' }, title),
        tableHead([
          ...names.map((name) => visible(cut(name, kShownName))), ['Count'], h('span', { class: 'off-screen' }, 'Bar'),
        ]),
        h('tbody', {}, used.map((each) => row({ ...place, at, names }, each, most))))));
}

const kNoThrottle = 'None. With --enforce-throughput, the server throttles requests that exceed the throughput of a '
  + 'partition key, table or index.';

function lists(place, part) {
  const { partition, sort } = place.source;
  const both = (title, { partition_keys: partitions, keys }, empty, emptyKeys) => [
    list(place, `${title} partition keys`, partitions, partition, empty),
    keys && list(place, `${title} keys`, keys, [...partition, ...sort], emptyKeys)];
  return h('div', { class: 'key-lists' }, part.accessed && both('Most used', part.accessed, 'None yet.', 'None yet.'),
    both('Most throttled', part.throttled, kNoThrottle, 'None.'));
}

function content(place, state, part, isTold) {
  if (part) return lists(place, part);
  const sentence = !state ? 'The server does not count keys.'
    : isTold ? 'The report is full and does not include it.' : 'The server counts keys.';
  return h('p', { class: 'quiet' }, sentence);
}

/**
 * A frame for `source` of the table of that name. `state`: its entry of ListContributorInsights, if it
 * has one; `part`: what the report tells of it, if it does; `isTold`: there is a report.
 * turn(action, mode, button) switches.
 */
export function insightsPanel({ table, source, state, part, isTold, turn }) {
  const title = source.name === null ? 'Table' : `Index ${source.name}`;
  const at = source.name ?? '';
  const button = (label, action, mode, order) => h('button', {
    class: 'small', 'aria-label': `${label}: ${title}`, dataset: { at: `${order} ${at}` },
    on: { click: (event) => turn(action, mode, event.currentTarget) },
  }, label);
  const mode = state?.ContributorInsightsMode;
  const buttons = !state
    ? [button('Enable', 'ENABLE', kAllKeys, 1), button('Enable for throttled keys only', 'ENABLE', kThrottledKeys, 2)]
    : [button('Disable', 'DISABLE', undefined, 1), mode === kAllKeys
      ? button('Throttled keys only', 'ENABLE', kThrottledKeys, 2) : button('All keys', 'ENABLE', kAllKeys, 2)];
  const badge = !state ? 'not enabled'
    : `${state.ContributorInsightsStatus.toLowerCase()}${mode === kThrottledKeys ? ', throttled keys only' : ''}`;
  return h('section', { class: 'panel', 'aria-label': title },
    h('header', {}, h('h2', {}, title, ' ', h('span', { class: ['badge', state && 'good'] }, badge)), buttons),
    h('div', { class: 'body' }, content({ at, table, source }, state, part, isTold)));
}

/** What a report cannot say, as sentences. */
export function reportLimits({ uncounted, complete }) {
  return [
    uncounted > 0 && h('p', { class: 'notice' },
      `The server did not count ${plural(uncounted, 'use')}, because the memory for counts is full.`),
    !complete && h('p', { class: 'notice' }, 'The report covers only the first 100 tables and indexes with this name.'),
  ];
}
