// Expectations that need parallel requests or loops, with the SDK: A6, B15.4 to B15.6, B16.2, D2.4.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DescribeTableCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { attributeDefinitions, keySchema, parseKey } from './steps.mjs';
import { assertRefused, readAll, send, withTables } from './tables.mjs';

const inParallel = (count, action) => Promise.all(Array.from({ length: count }, (_, index) => action(index)));
const numbers = (count) => Array.from({ length: count }, (_, index) => index);

const projectKey = { PK: 'PROJECT#p', SK: 'PROJECT#p' };
const track = { Track: { key: 'PK, SK' } };

test('B16.2.3 100 concurrent increments give 100 numbers', () => withTables(
  track, { Track: [{ ...projectKey, IssueCount: 0 }] }, async () => {
    const found = await inParallel(100, async () => {
      const answer = await send(UpdateCommand, {
        TableName: 'Track', Key: projectKey, UpdateExpression: 'SET IssueCount = IssueCount + :one',
        ExpressionAttributeValues: { ':one': 1 }, ReturnValues: 'UPDATED_NEW',
      });
      return answer.Attributes.IssueCount;
    });
    assert.deepEqual(found.sort((a, b) => a - b), numbers(100).map((index) => index + 1));
  }));

test('A6.1 one of many conditional puts wins', () => withTables(track, {}, async () => {
  const outcomes = await inParallel(40, async (index) => {
    try {
      await send(PutCommand, {
        TableName: 'Track', Item: { ...projectKey, Winner: index },
        ConditionExpression: 'attribute_not_exists(PK)',
      });
      return index;
    } catch (error) {
      assert.equal(error.name, 'ConditionalCheckFailedException');
      return null;
    }
  });
  const winners = outcomes.filter((index) => index !== null);
  assert.equal(winners.length, 1);
  const { Item } = await send(GetCommand, { TableName: 'Track', Key: projectKey, ConsistentRead: true });
  assert.equal(Item.Winner, winners[0]);
}));

// ---- B15.4, B15.5: an index comes to a table that is in use, and old items come into it ------------

const blog = { Blog: { key: 'PK, SK' } };

function entity(Type, name, attributes = {}) {
  const key = `${Type.toUpperCase()}#${name}`;
  return { PK: key, SK: key, Type, ...attributes };
}

const statuses = (table) => table.GlobalSecondaryIndexes.map(({ IndexName, IndexStatus }) => [IndexName, IndexStatus]);

async function addIndex() {
  const key = parseKey('GSI1PK, GSI1SK');
  const { TableDescription } = await send(UpdateTableCommand, {
    TableName: 'Blog',
    AttributeDefinitions: attributeDefinitions(key),
    GlobalSecondaryIndexUpdates: [
      { Create: { IndexName: 'GSI1', KeySchema: keySchema(key), Projection: { ProjectionType: 'ALL' } } },
    ],
  });
  assert.deepEqual(statuses(TableDescription), [['GSI1', 'CREATING']]);
  for (;;) {
    const { Table } = await send(DescribeTableCommand, { TableName: 'Blog' });
    const [[name, status]] = statuses(Table);
    assert.equal(name, 'GSI1');
    if (status === 'ACTIVE') return;
    assert.equal(status, 'CREATING');
  }
}

/** Visits every item of a type page by page and updates it; the pages and keys seen. */
async function giveIndexKeys(Type, keysOf, Limit) {
  let pages = 0;
  const seen = [];
  let ExclusiveStartKey;
  do {
    const page = await send(ScanCommand, {
      TableName: 'Blog', FilterExpression: '#t = :t', Limit, ExclusiveStartKey,
      ExpressionAttributeNames: { '#t': 'Type' }, ExpressionAttributeValues: { ':t': Type },
    });
    pages += 1;
    for (const item of page.Items) {
      seen.push(item.PK);
      const [partition, sort] = keysOf(item);
      await send(UpdateCommand, {
        TableName: 'Blog', Key: { PK: item.PK, SK: item.SK },
        UpdateExpression: 'SET GSI1PK = :p, GSI1SK = :s',
        ExpressionAttributeValues: { ':p': partition, ':s': sort },
      });
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return { pages, seen: seen.sort() };
}

async function queryIndex(partition, ScanIndexForward = true) {
  const items = await readAll(QueryCommand, {
    TableName: 'Blog', IndexName: 'GSI1', ScanIndexForward, KeyConditionExpression: 'GSI1PK = :p',
    ExpressionAttributeValues: { ':p': partition },
  });
  return items.map((item) => item.GSI1SK);
}

test('B15.4 a new collection with back-fill', () => withTables(blog, {
  Blog: [
    entity('Post', 'p1'), entity('Post', 'p2'), entity('Post', 'p3'), entity('User', 'ana'), entity('User', 'bo'),
    entity('Comment', 'c1', { GSI1PK: 'POST#p1', GSI1SK: 'COMMENT#2030-01-01' }),
    entity('Comment', 'c2', { GSI1PK: 'POST#p1', GSI1SK: 'COMMENT#2030-01-02' }),
  ],
}, async () => {
  await addIndex();
  const items = await readAll(ScanCommand, { TableName: 'Blog', IndexName: 'GSI1' });
  assert.deepEqual(items.map((item) => item.PK).sort(), ['COMMENT#c1', 'COMMENT#c2']);

  const { pages, seen } = await giveIndexKeys('Post', (item) => [item.PK, item.SK], 2);
  assert.deepEqual(seen, ['POST#p1', 'POST#p2', 'POST#p3']);
  assert.equal(pages, 4);
  assert.deepEqual(await queryIndex('POST#p1', false), ['POST#p1', 'COMMENT#2030-01-02', 'COMMENT#2030-01-01']);
}));

test('B15.5 join existing items', () => withTables(blog, {
  Blog: [
    entity('Order', 'o1', { Customer: 'ana' }), entity('Order', 'o2', { Customer: 'ana' }),
    entity('Ticket', 't1', { Customer: 'ana' }), entity('Ticket', 't2', { Customer: 'bo' }),
  ],
}, async () => {
  await addIndex();
  for (const type of ['Order', 'Ticket']) {
    await giveIndexKeys(type, (item) => [`CUSTOMER#${item.Customer}`, item.SK], 3);
  }
  assert.deepEqual(await queryIndex('CUSTOMER#ana'), ['ORDER#o1', 'ORDER#o2', 'TICKET#t1']);
  assert.deepEqual(await queryIndex('CUSTOMER#bo'), ['TICKET#t2']);
}));

// ---- B15.6 -----------------------------------------------------------------------------------

async function scanSegments(TableName, TotalSegments, request = {}) {
  return inParallel(TotalSegments, async (Segment) => {
    const items = await readAll(ScanCommand, { TableName, Segment, TotalSegments, ...request });
    return items.map((item) => item.PK);
  });
}

const assertCovers = (segments, expected) => assert.deepEqual(segments.flat().sort(), expected);

test('B15.6.1 segments are disjoint and complete', () => withTables({ Wide: { key: 'PK' } }, {
  Wide: [{ $many: 200, $item: { PK: 'item-%3d', Number: { $index: 1 } } }],
}, async () => {
  const everything = numbers(200).map((index) => `item-${String(index).padStart(3, '0')}`);
  const filter = {
    FilterExpression: '#n > :n', ExpressionAttributeNames: { '#n': 'Number' },
    ExpressionAttributeValues: { ':n': 99 },
  };
  assertCovers(await scanSegments('Wide', 4), everything);
  assertCovers(await scanSegments('Wide', 4, filter), everything.slice(100));
  assertCovers(await scanSegments('Wide', 4, { Limit: 7 }), everything);
  assertCovers(await scanSegments('Wide', 4, { Limit: 7, ...filter }), everything.slice(100));
}));

test('B15.6.2 more segments than items', () => withTables({ Three: { key: 'PK' } }, {
  Three: [{ PK: 'a' }, { PK: 'b' }, { PK: 'c' }],
}, async () => {
  const segments = await scanSegments('Three', 10);
  assert.ok(segments.some((segment) => segment.length === 0));
  assertCovers(segments, ['a', 'b', 'c']);
}));

test('D2.4 a list grows until 400 KB', () => {
  const Key = { entityType: 'bookmarks', entityId: 'ana' };
  return withTables({ Forge: { key: 'entityType, entityId' } }, { Forge: [{ ...Key, l: [] }] }, async () => {
    const append = {
      TableName: 'Forge', Key, UpdateExpression: 'SET l = list_append(l, :x)',
      ExpressionAttributeValues: { ':x': Array(20).fill({ build: 'x'.repeat(495) }) },
    };
    // An element is 505 bytes: 5 + 495 for name and value, 3 + 1 for the map, 1 in the list. 40 times 20 of
    // them fit into 409,600 bytes, 41 times do not.
    for (let count = 0; count < 40; count += 1) await send(UpdateCommand, append);
    await assertRefused('VE', UpdateCommand, append);
    const { Item } = await send(GetCommand, { TableName: 'Forge', Key, ConsistentRead: true });
    assert.equal(Item.l.length, 800);
  });
});
