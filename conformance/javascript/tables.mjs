// What tests with the SDK share: a client, tables made and removed, reading, and checks for every table.

import assert from 'node:assert/strict';
import {
  CreateTableCommand, DeleteTableCommand, DescribeTableCommand, DynamoDBClient, waitUntilTableExists, waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient, PutCommand, QueryCommand, ScanCommand, UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { expandItems, fromValue, parseKey, shortErrors, tableRequest } from './steps.mjs';
import { StreamConsumer } from './streams.mjs';

export const plainClient = new DynamoDBClient({ endpoint: process.env.MAGNETO_ENDPOINT, maxAttempts: 1 });
export const client = DynamoDBDocumentClient.from(plainClient);

export const send = (Command, request) => client.send(new Command(request));

/** Runs body with these tables, and removes them. */
export async function withTables(tables, items, body) {
  const waiting = { client, maxWaitTime: 60, minDelay: 1 };
  for (const [name, table] of Object.entries(tables)) {
    await send(CreateTableCommand, tableRequest(name, table));
    await waitUntilTableExists(waiting, { TableName: name });
  }
  try {
    for (const [table, rows] of Object.entries(items)) await fill(table, expandItems(rows));
    await body();
  } finally {
    for (const TableName of Object.keys(tables)) {
      await send(DeleteTableCommand, { TableName });
      await waitUntilTableNotExists(waiting, { TableName });
    }
  }
}

async function fill(table, rows) {
  for (let start = 0; start < rows.length; start += 25) {
    const requests = rows.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    const answer = await send(BatchWriteCommand, { RequestItems: { [table]: requests } });
    assert.deepEqual(answer.UnprocessedItems, {});
  }
}

/** All pages of a query or scan. */
export async function readPages(Command, request) {
  const pages = [];
  let ExclusiveStartKey;
  do {
    const page = await send(Command, { ...request, ExclusiveStartKey });
    pages.push(page);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return pages;
}

export async function readAll(Command, request) {
  return (await readPages(Command, request)).flatMap((page) => fromValue(page.Items));
}

/** The error a request ends with; a request that succeeds fails the test. */
export async function errorOf(Command, request) {
  try {
    await send(Command, request);
  } catch (error) {
    return error;
  }
  return assert.fail(`${Command.name} was not refused`);
}

export async function assertRefused(error, Command, request) {
  assert.equal((await errorOf(Command, request)).name, shortErrors[error]);
}

/** A consumer of a table's stream, from its beginning. */
export async function streamOf(TableName) {
  const { Table } = await send(DescribeTableCommand, { TableName });
  return new StreamConsumer(Table.LatestStreamArn);
}

/** Everything readable, to see that nothing changed. */
export async function snapshot(tables) {
  const contents = {};
  for (const [TableName, table] of Object.entries(tables)) {
    contents[TableName] = await readAll(ScanCommand, { TableName, ConsistentRead: true });
    for (const IndexName of Object.keys({ ...table.global, ...table.local })) {
      contents[`${TableName}.${IndexName}`] = await readAll(ScanCommand, { TableName, IndexName });
    }
    if ('stream' in table) {
      const changes = await (await streamOf(TableName)).poll();
      contents[`stream of ${TableName}`] = changes.map(({ eventId }) => eventId);
    }
  }
  return contents;
}

const sample = (type) => ({ S: 'sample', N: 1, B: new Uint8Array([1]) })[type];

/** What must hold of every table: checks (a) to (d) and (f). */
export async function checkTable(TableName, table, tables) {
  const key = parseKey(table.key);
  const whole = Object.fromEntries(key.map(([name, type]) => [name, sample(type)]));
  const before = await snapshot(tables);
  if (key.length === 2) { // (a)
    await assertRefused('VE', PutCommand, { TableName, Item: { [key[0][0]]: whole[key[0][0]] } });
  }
  await checkQueries(TableName, table);
  for (const [name, type] of key) { // (d)
    await assertRefused('VE', UpdateCommand, {
      TableName, Key: whole, UpdateExpression: 'SET #a = :v',
      ExpressionAttributeNames: { '#a': name }, ExpressionAttributeValues: { ':v': sample(type) },
    });
  }
  await checkRejectedWrites(TableName, key);
  assert.deepEqual(await snapshot(tables), before);
}

async function checkQueries(TableName, table) {
  const indexes = [[undefined, table.key], ...Object.entries({ ...table.global, ...table.local })];
  for (const [IndexName, text] of indexes) {
    const key = parseKey(text);
    const request = ([name, type]) => ({
      TableName, IndexName, KeyConditionExpression: '#a = :v',
      ExpressionAttributeNames: { '#a': name }, ExpressionAttributeValues: { ':v': sample(type) },
    });
    for (const attribute of [['NoKeyAtAll', 'S'], ...key.slice(1)]) { // (b)
      await assertRefused('VE', QueryCommand, request(attribute));
    }
    if (table.global && IndexName in table.global) { // (c)
      await assertRefused('VE', QueryCommand, { ...request(key[0]), ConsistentRead: true });
    }
  }
}

async function checkRejectedWrites(TableName, key) { // (f)
  const page = await send(ScanCommand, { TableName, Limit: 1 });
  for (const item of page.Items) {
    const present = Object.fromEntries(key.map(([name]) => [name, item[name]]));
    const request = {
      TableName,
      ConditionExpression: 'attribute_not_exists(#k)',
      ExpressionAttributeNames: { '#k': key[0][0] },
    };
    await assertRefused('CCF', PutCommand, { ...request, Item: { ...present, Changed: true } });
    await assertRefused('CCF', DeleteCommand, { ...request, Key: present });
    await assertRefused('CCF', UpdateCommand, {
      ...request, Key: present, UpdateExpression: 'SET Changed = :t ADD Counted :one',
      ExpressionAttributeValues: { ':t': true, ':one': 1 },
    });
  }
}
