// D4: a consumer of a stream keeps an index table while there is much writing, with the SDK.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DescribeTableCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { ListStreamsCommand } from '@aws-sdk/client-dynamodb-streams';
import {
  BatchWriteCommand, DeleteCommand, PutCommand, ScanCommand, UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { StreamConsumer, streams } from './streams.mjs';
import { readAll, send, withTables } from './tables.mjs';

const writers = 8;
const writes = 5000;
const issues = 200;
const fields = ['who', 'stage', 'label'];

const tables = {
  Issue: { key: 'id', stream: 'NEW_AND_OLD_IMAGES' },
  IssueIndex: { key: 'attribId, sortString' },
};

async function streamArn() {
  const { Table } = await send(DescribeTableCommand, { TableName: 'Issue' });
  return Table.LatestStreamArn;
}

/** Numbers below `limit`, the same in each run: a linear congruential generator. */
function randomNumbers(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** What IssueIndex holds of an issue: the text of its key to the row, for each of its fields. */
function indexRows(issue) {
  return Object.entries(issue ?? {}).filter(([name]) => name !== 'id').map(([attribId, value]) => {
    const sortString = `${value}#${issue.id}`;
    return [`${attribId}/${sortString}`, { attribId, sortString }];
  });
}

const sameItem = (a, b) => {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
};

// Kinds of writes. Each tells whether it changed the item.
const kinds = {
  async put(Key, random) {
    const Item = { ...Key };
    for (const field of fields) if (random(10) < 7) Item[field] = `v${random(3)}`;
    const { Attributes } = await send(PutCommand, { TableName: 'Issue', Item, ReturnValues: 'ALL_OLD' });
    return !sameItem(Item, Attributes);
  },
  async set(Key, random) {
    const value = `v${random(3)}`;
    const { Attributes } = await send(UpdateCommand, {
      TableName: 'Issue', Key, UpdateExpression: 'SET stage = :v', ReturnValues: 'UPDATED_OLD',
      ExpressionAttributeValues: { ':v': value },
    });
    return Attributes?.stage !== value;
  },
  async removeField(Key) {
    try {
      const { Attributes } = await send(UpdateCommand, {
        TableName: 'Issue', Key, UpdateExpression: 'REMOVE label', ReturnValues: 'UPDATED_OLD',
        ConditionExpression: 'attribute_exists(id)',
      });
      return Attributes?.label !== undefined;
    } catch (error) {
      assert.equal(error.name, 'ConditionalCheckFailedException');
      return false;
    }
  },
  async delete(Key) {
    const { Attributes } = await send(DeleteCommand, { TableName: 'Issue', Key, ReturnValues: 'ALL_OLD' });
    return Attributes !== undefined;
  },
};

/** Random writes, one after the other; how many changed an item. */
async function write(seed, count) {
  const random = randomNumbers(seed);
  const choice = [kinds.put, kinds.put, kinds.set, kinds.removeField, kinds.delete];
  let changes = 0;
  for (let i = 0; i < count; i += 1) {
    const key = { id: `issue-${String(random(issues)).padStart(3, '0')}` };
    if (await choice[random(choice.length)](key, random)) changes += 1;
  }
  return changes;
}

/** Keeps IssueIndex by what the stream tells, and checks that each change follows from the one before. */
class IndexKeeper {
  issues = new Map();
  eventIds = new Set();
  changes = 0;

  constructor(arn) {
    this.consumer = new StreamConsumer(arn);
  }

  /** Until all writing is done and the stream is idle. */
  async follow(isDone) {
    for (;;) {
      const last = isDone();
      const changes = await this.consumer.poll(100);
      await this.apply(changes);
      if (last && changes.length === 0) return;
    }
  }

  async apply(changes) {
    const requests = new Map();
    for (const change of changes) {
      this.check(change);
      for (const [text, Key] of indexRows(change.old)) requests.set(text, { DeleteRequest: { Key } });
      for (const [text, Item] of indexRows(change.new)) requests.set(text, { PutRequest: { Item } });
    }
    const all = [...requests.values()];
    for (let start = 0; start < all.length; start += 25) {
      const answer = await send(BatchWriteCommand, { RequestItems: { IssueIndex: all.slice(start, start + 25) } });
      assert.deepEqual(answer.UnprocessedItems, {});
    }
  }

  check(change) {
    const { id } = change.key;
    assert.deepEqual(change.key, { id });
    assert.deepEqual(change.old, this.issues.get(id));
    assert.ok(!sameItem(change.old, change.new));
    assert.equal(change.event, change.old === undefined ? 'INSERT' : change.new === undefined ? 'REMOVE' : 'MODIFY');
    assert.ok(!this.eventIds.has(change.eventId));
    this.eventIds.add(change.eventId);
    if (change.new === undefined) this.issues.delete(id);
    else this.issues.set(id, change.new);
    this.changes += 1;
  }
}

test('D4 an index table follows eight writers', () => withTables(tables, {}, async () => {
  const keeper = new IndexKeeper(await streamArn());
  let done = false;
  const following = keeper.follow(() => done);
  const writing = Promise.all(Array.from({ length: writers }, (_, seed) => write(seed, writes / writers)))
    .finally(() => { done = true; });
  const [counts] = await Promise.all([writing, following]);
  assert.equal(keeper.changes, counts.reduce((total, count) => total + count));
  assert.ok(keeper.changes > writes / 4);

  const found = await readAll(ScanCommand, { TableName: 'Issue' });
  assert.deepEqual(keeper.issues, new Map(found.map((issue) => [issue.id, issue])));
  const rows = await readAll(ScanCommand, { TableName: 'IssueIndex' });
  assert.deepEqual(rows.map(({ attribId, sortString }) => `${attribId}/${sortString}`).sort(),
    found.flatMap(indexRows).map(([text]) => text).sort());
}));

test('D4 a disabled stream stays readable, and the next one is new', () => withTables(tables, {}, async () => {
  const put = (id) => send(PutCommand, { TableName: 'Issue', Item: { id } });
  const update = (StreamSpecification) => send(UpdateTableCommand, { TableName: 'Issue', StreamSpecification });
  const first = await streamArn();
  await put('a');
  await update({ StreamEnabled: false });
  await put('b');
  await update({ StreamEnabled: true, StreamViewType: 'NEW_IMAGE' });
  const second = await streamArn();
  assert.notEqual(second, first);
  await put('c');
  const { Streams } = await streams.send(new ListStreamsCommand({ TableName: 'Issue' }));
  const listed = Streams.map(({ StreamArn }) => StreamArn);
  assert.ok(listed.includes(first) && listed.includes(second));

  const consumer = new StreamConsumer(first);
  assert.deepEqual((await consumer.pollToEnd()).map(({ key }) => key.id), ['a']);
  assert.ok([...consumer.iterators.values()].every((iterator) => iterator === undefined));
  assert.deepEqual((await new StreamConsumer(second).poll()).map(({ key }) => key.id), ['c']);
}));
