// Changes of items, each with what is needed to take it back.

import { call } from '../client.js';
import { createRequest, deleteRequest, keyChanged, keyOf, moveRequest, updateRequest } from '../values/change.js';

const kAtOnce = 6; // connections that a browser opens to one server
export const kMaxUndo = 20_000;

// -> {item, error}; the item is null when there is none.
export async function readItem(model, item, { signal } = {}) {
  const input = { TableName: model.name, Key: keyOf(item, model.keys), ConsistentRead: true };
  const { output, error } = await call('GetItem', input, { signal });
  return { item: output?.Item ?? null, error };
}

// before: what was read, null for a new item. -> {request, item, error, current}: current is what is
// there now, where that is why it failed.
export async function saveItem(model, before, after) {
  const request = saveRequest(model, before, after);
  if (!request) return { request, item: after, error: null };
  const { output, error } = await call(request.operation, request.input);
  if (!error) return { request, item: output.Attributes ?? after, error: null };
  return { request, item: null, error, current: currentOf(error) };
}

export function saveRequest(model, before, after) {
  if (!before) return { operation: 'PutItem', input: createRequest(model.name, model.keys, after) };
  if (keyChanged(before, after, model.keys)) {
    return { operation: 'TransactWriteItems', input: moveRequest(model.name, model.keys, before, after) };
  }
  const input = updateRequest(model.name, model.keys, before, after);
  return input && { operation: 'UpdateItem', input };
}

export const isConflict = (error) => error.type === 'ConditionalCheckFailedException'
  || (error.type === 'TransactionCanceledException' && /ConditionalCheckFailed/.test(error.raw));

function currentOf(error) {
  try {
    return JSON.parse(error.raw).Item ?? null;
  } catch {
    return null;
  }
}

// read: only if it still is as it was read. -> {removed: the whole item or null, error, current}
export async function removeItem(model, item, { read = false } = {}) {
  const input = deleteRequest(model.name, model.keys, item, { read });
  if (read) input.ReturnValuesOnConditionCheckFailure = 'ALL_OLD';
  const { output, error } = await call('DeleteItem', input);
  return { removed: output?.Attributes ?? null, error, current: error && currentOf(error) };
}

// Runs `work` over a list (or what an async iterator brings), a few at a time.
async function eachOf(list, work, signal) {
  const source = list[Symbol.asyncIterator]?.() ?? list[Symbol.iterator]();
  const worker = async () => {
    while (!signal?.aborted) {
      const { value, done } = await source.next();
      if (done) return;
      await work(value);
    }
  };
  await Promise.all(Array.from({ length: kAtOnce }, worker));
}

// Deletes one by one, which tells what was there. -> {count, removed, failed: [{item, error}]};
// removed is null when there are too many to be taken back.
export async function removeItems(model, items, { progress = () => {}, signal, limit = kMaxUndo } = {}) {
  let removed = [];
  let count = 0;
  const failed = [];
  await eachOf(items, async (item) => {
    const answer = await removeItem(model, item);
    if (answer.error) failed.push({ item, error: answer.error });
    else if (answer.removed) {
      count += 1;
      removed?.push(answer.removed);
      if (removed?.length > limit) removed = null;
    }
    progress(count, failed.length);
  }, signal);
  return { count, removed, failed };
}

// Puts back what was deleted, unless somebody made such an item since.
export async function restoreItems(model, items, { progress = () => {} } = {}) {
  let restored = 0;
  const failed = [];
  await eachOf(items, async (item) => {
    const { error } = await call('PutItem', createRequest(model.name, model.keys, item));
    if (error) failed.push({ item, error });
    else restored += 1;
    progress(restored, failed.length);
  });
  return { restored, failed };
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

// Puts one batch, until nothing of it is left. -> error or null
export async function putBatch(model, items, { signal } = {}) {
  let left = items.map((Item) => ({ PutRequest: { Item } }));
  for (let wait = 50; left.length > 0; wait = Math.min(wait * 2, 5000)) {
    const { output, error } = await call('BatchWriteItem', { RequestItems: { [model.name]: left } }, { signal });
    const isThrottled = error && /Throttl|ProvisionedThroughput|LimitExceeded/.test(error.type);
    if (error && !isThrottled) return error;
    if (!error) left = output.UnprocessedItems?.[model.name] ?? [];
    if (left.length > 0) await pause(wait);
  }
  return null;
}
