// What the report of contributor insights is taken to say.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { choiceOf, countedSources, countText, databaseOf, ownParts } from '../../../server/browser/page/live/insights.js';
import { readAddress, writeAddress } from '../../../server/browser/page/query/address.js';
import { buildRequest } from '../../../server/browser/page/query/builder.js';
import { tableModel } from '../../../server/browser/page/query/table_model.js';

const key = (AttributeName, KeyType) => ({ AttributeName, KeyType });
const Projection = { ProjectionType: 'ALL' };
const kModel = tableModel({
  TableName: 'Orders',
  AttributeDefinitions: [['__proto__', 'S'], ['at', 'N'], ['city', 'S'], ['blob', 'B']].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
  KeySchema: [key('__proto__', 'HASH'), key('at', 'RANGE')],
  GlobalSecondaryIndexes: [{ IndexName: 'byPlace', KeySchema: [key('city', 'HASH'), key('blob', 'HASH'), key('at', 'RANGE')], Projection, IndexStatus: 'ACTIVE' }],
  LocalSecondaryIndexes: [{ IndexName: 'byCity', KeySchema: [key('__proto__', 'HASH'), key('city', 'RANGE')], Projection }],
});

test('the table and its global indexes have counts', () => {
  assert.deepEqual(countedSources(kModel).map(({ name }) => name), [null, 'byPlace']);
});

test('of tables of one name, those of the caller are shown', () => {
  const caller = { region: 'eu-west-1', credentials: { accessKeyId: 'KEY' } };
  assert.equal(databaseOf('none', caller), undefined);
  assert.equal(databaseOf(undefined, caller), undefined);
  assert.equal(databaseOf('region', caller), 'eu-west-1');
  assert.equal(databaseOf('credentials', caller), 'KEY/eu-west-1');
  const own = { database: 'eu-west-1', table: 'Orders' };
  const report = { insights: [{ table: 'Orders' }, own, { ...own, index: 'byPlace' }, { ...own, table: 'Others' }, { ...own, database: 'us-east-1' }] };
  assert.deepEqual([...ownParts(report, 'Orders', 'eu-west-1').keys()], ['', 'byPlace']);
  assert.equal(ownParts(report, 'Orders', 'eu-west-1').get(''), own);
  assert.deepEqual([...ownParts(report, 'Orders', undefined).values()], [{ table: 'Orders' }]);
});

test('a count is a number, or two', () => {
  assert.equal(countText({ count: 12, error: 0 }), '12');
  assert.equal(countText({ count: 12, error: 3 }), 'at least 9, at most 12');
  assert.equal(countText({ count: 1200, error: 1200 }, (each) => `${each}x`), 'at least 0x, at most 1200x');
});

test('a key leads to its items by an address', () => {
  const [table, index] = countedSources(kModel);
  const inputOf = (source, given) => {
    const choice = readAddress(new URLSearchParams(writeAddress(choiceOf(source, JSON.parse(given))).toString()));
    const { operation, input } = buildRequest(kModel, choice);
    assert.equal(operation, 'Query');
    return [input.IndexName, Object.values(input.ExpressionAttributeValues)];
  };
  assert.deepEqual(inputOf(table, '{"__proto__":{"S":"a&b=\\u0000%"}}'), [undefined, [{ S: 'a&b=\u0000%' }]]);
  assert.deepEqual(inputOf(table, '{"__proto__":{"S":"a"},"at":{"N":"-1.5"}}'), [undefined, [{ S: 'a' }, { N: '-1.5' }]]);
  assert.deepEqual(inputOf(index, '{"city":{"S":"Bonn"},"blob":{"B":"AP8="}}'), ['byPlace', [{ S: 'Bonn' }, { B: 'AP8=' }]]);
  assert.deepEqual(inputOf(index, '{"city":{"S":"Bonn"},"blob":{"B":"AP8="},"at":{"N":"0"}}'), ['byPlace', [{ S: 'Bonn' }, { B: 'AP8=' }, { N: '0' }]]);
});
