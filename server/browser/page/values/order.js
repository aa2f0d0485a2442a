// The order of values for people who sort a column: as DynamoDB orders sort keys, numbers by value
// and texts by their characters. Other types follow each other by type, and lists by their length.

import { compareNumbers } from './numbers.js';
import { contentOf, isSet, typeOf } from './types.js';

const kTypeOrder = ['N', 'S', 'B', 'BOOL', 'NULL', 'NS', 'SS', 'BS', 'L', 'M'];

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// By Unicode code points, which is the order of UTF-8 bytes. `<` would order by UTF-16 units, where
// characters beyond U+FFFF come before U+E000.
function compareTexts(a, b) {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x === y) continue;
    const isSurrogate = (unit) => unit >= 0xd800 && unit <= 0xdfff;
    return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

const sizeOf = (type, content) => (type === 'M' ? Object.keys(content).length : content.length);

// Below, equal to, or above zero, as a is to b.
export function compareValues(a, b) {
  const [type, other] = [typeOf(a), typeOf(b)];
  if (type !== other) return kTypeOrder.indexOf(type) - kTypeOrder.indexOf(other);
  const [x, y] = [contentOf(a), contentOf(b)];
  if (type === 'N') return compareNumbers(x, y);
  if (type === 'S') return compareTexts(x, y);
  if (type === 'B') return compare(atob(x), atob(y));
  if (type === 'BOOL') return Number(x) - Number(y);
  if (isSet(type) || type === 'L' || type === 'M') return sizeOf(type, x) - sizeOf(type, y);
  return 0;
}

// A sorted copy. valueOf(item): the value to sort by, undefined where there is none; such items come
// last either way. Equal items keep their order.
export function sortItems(items, valueOf, { descending = false } = {}) {
  const sign = descending ? -1 : 1;
  return items.map((item) => ({ item, value: valueOf(item) })).sort((a, b) => {
    if (!a.value || !b.value) return Number(!a.value) - Number(!b.value);
    return sign * compareValues(a.value, b.value);
  }).map(({ item }) => item);
}
