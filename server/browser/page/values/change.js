// What an edit sends: UpdateItem with only what changed, on condition that it is still what was read.
// So a change by somebody else is never overwritten: to the same attributes it makes ours fail, to
// others it stays.

import { Placeholders } from '../query/placeholders.js';
import { canonical } from './numbers.js';
import { sameValue, typeOf } from './types.js';

const bothMaps = (before, after) => before && after && typeOf(before) === 'M' && typeOf(after) === 'M';

// [{path, before, after}]: maps are entered, lists and sets are compared as a whole, because somebody
// else may have moved what is in them.
export function findChanges(before, after, path = []) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (old && now && sameValue(old, now)) return [];
    if (bothMaps(old, now)) return findChanges(old.M, now.M, [...path, name]);
    return [{ path: [...path, name], before: old, after: now }];
  });
}

const kMaxChanges = 120; // an expression has at most 300 operators

export const keyOf = (item, keys) => Object.fromEntries(keys.map(({ name }) => [name, item[name]]));

// The same for the same key, however its numbers are written.
export function keyText(item, keys) {
  return JSON.stringify(keys.map(({ name, type }) => (type === 'N' ? canonical(item[name].N) : item[name][type])));
}

export const keyChanged = (before, after, keys) => (
  keys.some(({ name }) => !Object.hasOwn(after, name) || !sameValue(before[name], after[name])));

function conditions(changes, words) {
  return changes.map(({ path, before }) => (before
    ? `${words.path(path)} = ${words.value(before, 'was')}` : `attribute_not_exists(${words.path(path)})`));
}

// The request; null when nothing changed.
export function updateRequest(table, keys, before, after) {
  const changes = findChanges(before, after);
  if (changes.length === 0) return null;
  const words = new Placeholders();
  const sets = changes.filter((change) => change.after)
    .map(({ path, after: value }) => `${words.path(path)} = ${words.value(value, 'now')}`);
  const removes = changes.filter((change) => !change.after).map(({ path }) => words.path(path));
  const update = [
    sets.length > 0 ? `SET ${sets.join(', ')}` : '', removes.length > 0 ? `REMOVE ${removes.join(', ')}` : '',
  ];
  // The item itself must still be there; UpdateItem would make it anew.
  const condition = [`attribute_exists(${words.path([keys[0].name])})`, ...conditions(changes, words)].join(' AND ');
  return {
    TableName: table,
    Key: keyOf(before, keys),
    UpdateExpression: update.filter(Boolean).join(' '),
    ConditionExpression: condition,
    ...words.members(),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

// An item that must not be there yet.
export function createRequest(table, keys, item) {
  const words = new Placeholders();
  const condition = `attribute_not_exists(${words.path([keys[0].name])})`;
  return {
    TableName: table, Item: item, ConditionExpression: condition, ...words.members(),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

// With `read`, only on condition that what was read of it is unchanged.
export function deleteRequest(table, keys, item, { read = false } = {}) {
  const words = new Placeholders();
  const others = Object.entries(item).filter(([name]) => !keys.some((key) => key.name === name));
  const request = { TableName: table, Key: keyOf(item, keys), ReturnValues: 'ALL_OLD' };
  if (!read || others.length > kMaxChanges) return request;
  const condition = [
    `attribute_exists(${words.path([keys[0].name])})`,
    ...others.map(([name, value]) => `${words.path([name])} = ${words.value(value, 'was')}`),
  ].join(' AND ');
  return { ...request, ConditionExpression: condition, ...words.members() };
}

// A key never changes: the item goes and comes again under the new one, both or neither.
export function moveRequest(table, keys, before, after) {
  const { ReturnValues: ignored, ...gone } = deleteRequest(table, keys, before, { read: true });
  const { ReturnValuesOnConditionCheckFailure: alsoIgnored, ...come } = createRequest(table, keys, after);
  return { TransactItems: [{ Delete: gone }, { Put: come }] };
}
