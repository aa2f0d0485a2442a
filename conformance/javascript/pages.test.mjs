// The SDK's paginators: Query, Scan and ListTables, from a token on too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paginateListTables } from '@aws-sdk/client-dynamodb';
import { paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import { client, plainClient, withTables } from './tables.mjs';

const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const byNumber = (a, b) => a - b;
const numbersOf = (pages) => pages.flatMap(({ Items }) => Items.map((item) => item.Number));

/** The pages of a request; a paginator writes into what it is given. */
async function pagesOf(paginate, pageSize, request, paging = {}) {
  const pages = [];
  for await (const page of paginate({ client, pageSize, ...paging }, { ...request })) pages.push(page);
  return pages;
}

const table = { key: 'PK, SK', global: { Inv: 'SK, PK' } };
const items = { Alpha: [{ $many: 50, $item: { PK: 'p', SK: 's%2d', Number: { $index: 1 } } }] };
const onTables = (name, body) => test(`paginators: ${name}`, () => (
  withTables({ Alpha: table, Beta: table, Gamma: table }, items, body)));

onTables('Query', async () => {
  const request = {
    TableName: 'Alpha', KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': 'p' },
  };
  const pages = await pagesOf(paginateQuery, 20, request);
  assert.deepEqual(pages.map(({ Count }) => Count), [20, 20, 10]);
  assert.deepEqual(numbersOf(pages), numbers(50));
  const filtered = await pagesOf(paginateQuery, 7, {
    ...request, FilterExpression: '#n >= :n', ExpressionAttributeNames: { '#n': 'Number' },
    ExpressionAttributeValues: { ':p': 'p', ':n': 48 },
  });
  assert.deepEqual(numbersOf(filtered), [48, 49]);
  assert.equal(filtered.length, 8);
  const backwards = await pagesOf(paginateQuery, 1, {
    TableName: 'Alpha', IndexName: 'Inv', KeyConditionExpression: 'SK = :s', ScanIndexForward: false,
    ExpressionAttributeValues: { ':s': 's07' },
  });
  assert.deepEqual(numbersOf(backwards), [7]);
});

onTables('Scan, from a token on too', async () => {
  const pages = await pagesOf(paginateScan, 20, { TableName: 'Alpha' });
  assert.deepEqual(pages.map(({ Count }) => Count), [20, 20, 10]);
  assert.deepEqual(numbersOf(pages).sort(byNumber), numbers(50));
  const rest = await pagesOf(paginateScan, 8, { TableName: 'Alpha' }, { startingToken: pages[0].LastEvaluatedKey });
  assert.deepEqual([...numbersOf([pages[0]]), ...numbersOf(rest)].sort(byNumber), numbers(50));
});

onTables('ListTables', async () => {
  const pages = await pagesOf(paginateListTables, 1, {}, { client: plainClient });
  assert.deepEqual(pages.flatMap(({ TableNames }) => TableNames), ['Alpha', 'Beta', 'Gamma']);
  assert.deepEqual(pages.slice(0, 3).map(({ TableNames }) => TableNames.length), [1, 1, 1]);
});
