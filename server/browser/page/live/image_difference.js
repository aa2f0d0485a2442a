// What differs between two images of an item, both in DynamoDB JSON ({"S": "x"}), either missing.

import { sameValue, typeOf } from '../values/types.js';

/** A row is made for each attribute, and for what is inside maps and lists that are on both sides. */
export const kMaxRows = 2000;

/** Members of a set that only one side has: {added, removed}. */
export function setDifference(before, after) {
  const type = typeOf(before);
  const old = new Set(before[type]);
  const now = new Set(after[type]);
  return {
    added: after[type].filter((member) => !old.has(member)),
    removed: before[type].filter((member) => !now.has(member)),
  };
}

/**
 * Rows {path, kind, before, after}, in the order of the names; `path` is a list of names and list
 * positions, `kind` one of 'added', 'removed', 'changed', 'same'. Maps and lists that differ and
 * stand on both sides give a row for each member instead. At most kMaxRows; `cut` tells of more.
 */
export function differences(before, after) {
  const found = { rows: [], cut: false };
  compareMaps(before ?? {}, after ?? {}, [], found);
  return found;
}

function compareMaps(before, after, path, found) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(byCodePoints);
  for (const name of names) {
    const own = (map) => (Object.hasOwn(map, name) ? map[name] : undefined);
    compare(own(before), own(after), [...path, name], found);
  }
}

function compareLists(before, after, path, found) {
  const length = Math.max(before.length, after.length);
  for (let at = 0; at < length; ++at) compare(before[at], after[at], [...path, at], found);
}

function compare(before, after, path, found) {
  if (found.rows.length >= kMaxRows) {
    found.cut = true;
    return;
  }
  const kind = kindOf(before, after);
  if (kind === 'changed' && typeOf(before) === typeOf(after)) {
    const type = typeOf(before);
    if (type === 'M') return compareMaps(before.M, after.M, path, found);
    if (type === 'L') return compareLists(before.L, after.L, path, found);
  }
  found.rows.push({ path, kind, before, after });
}

function kindOf(before, after) {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return sameValue(before, after) ? 'same' : 'changed';
}

function byCodePoints(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A path as expressions write it: `address.lines[2]`; names with other letters stand in quotes. */
export function pathText(path) {
  return path.map((step, at) => {
    if (typeof step === 'number') return `[${step}]`;
    const name = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(step) ? step : JSON.stringify(step);
    return at === 0 ? name : `.${name}`;
  }).join('');
}

/**
 * Two texts cut into what they share at both ends and what differs between:
 * {start, before, after, end}. Never cuts a surrogate pair.
 */
export function middle(before, after) {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) ++start;
  if (start > 0 && isHighSurrogate(before, start - 1)) --start;
  let end = 0;
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end]) ++end;
  if (end > 0 && isLowSurrogate(before, before.length - end)) --end;
  return {
    start: before.slice(0, start),
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
    end: before.slice(before.length - end),
  };
}

const isHighSurrogate = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xd800;
const isLowSurrogate = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
