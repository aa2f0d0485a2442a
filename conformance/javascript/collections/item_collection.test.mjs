// A2.4: an item collection is full (a server with --item-collection-limit-mb=1).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeleteCommand, PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { errorOf, readAll, send, withTables } from '../tables.mjs';

const TableName = 'RolesL';
const tables = { RolesL: { key: 'Performer, Film', local: { YearIdx: 'Performer, Year:N' } } };

// Kept twice, as an item and in the local index: five of 100,000 bytes fit into 1 MiB.
const role = (Film, size = 100_000, Performer = 'Ana') => (
  { Performer, Film, Year: 2001, Cover: new Uint8Array(size - 100) });

async function films() {
  const items = await readAll(QueryCommand, {
    TableName, ProjectionExpression: 'Film', KeyConditionExpression: 'Performer = :p',
    ExpressionAttributeValues: { ':p': 'Ana' },
  });
  return items.map(({ Film }) => Film);
}

test('A2.4 an item collection is full', () => withTables(tables, {}, async () => {
  for (const film of ['a', 'b', 'c', 'd', 'e']) await send(PutCommand, { TableName, Item: role(film) });
  const refused = async (Command, request) => (await errorOf(Command, { TableName, ...request })).name;
  const full = 'ItemCollectionSizeLimitExceededException';
  assert.equal(await refused(PutCommand, { Item: role('f') }), full);
  assert.equal(await refused(UpdateCommand, {
    Key: { Performer: 'Ana', Film: 'a' }, UpdateExpression: 'SET Cover = :c',
    ExpressionAttributeValues: { ':c': new Uint8Array(200_000) },
  }), full);
  const { name, CancellationReasons } = await errorOf(TransactWriteCommand, {
    TransactItems: [{ Put: { TableName, Item: role('a', 100_000, 'Bo') } }, { Put: { TableName, Item: role('f') } }],
  });
  assert.equal(name, 'TransactionCanceledException');
  assert.deepEqual(CancellationReasons.map(({ Code }) => Code), ['None', 'ItemCollectionSizeLimitExceeded']);

  await send(PutCommand, { TableName, Item: role('a', 100_000, 'Bo') });
  await send(DeleteCommand, { TableName, Key: { Performer: 'Ana', Film: 'b' } });
  await send(PutCommand, { TableName, Item: role('f') });
  assert.deepEqual(await films(), ['a', 'c', 'd', 'e', 'f']);
}));
