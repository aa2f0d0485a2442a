// The SDK's waiters, with a server whose tables take their time (--control-plane-delay-ms).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CreateTableCommand, DeleteTableCommand, DescribeTableCommand, ListTablesCommand, waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tableRequest } from '../steps.mjs';
import { client, errorOf, send } from '../tables.mjs';

const TableName = 'Slow';
const waiting = { client, maxWaitTime: 60, minDelay: 1 };

test('waiters: a table comes and goes', async () => {
  const created = await send(CreateTableCommand, tableRequest(TableName, { key: 'PK' }));
  assert.equal(created.TableDescription.TableStatus, 'CREATING');
  const refused = await errorOf(PutCommand, { TableName, Item: { PK: 'a' } });
  assert.equal(refused.name, 'ResourceNotFoundException');
  assert.equal((await waitUntilTableExists(waiting, { TableName })).state, 'SUCCESS');
  assert.equal((await send(DescribeTableCommand, { TableName })).Table.TableStatus, 'ACTIVE');
  await send(PutCommand, { TableName, Item: { PK: 'a' } });

  const deleted = await send(DeleteTableCommand, { TableName });
  assert.equal(deleted.TableDescription.TableStatus, 'DELETING');
  assert.equal((await waitUntilTableNotExists(waiting, { TableName })).state, 'SUCCESS');
  assert.deepEqual((await send(ListTablesCommand, {})).TableNames, []);
});

test('waiters: a table that never comes', async () => {
  await assert.rejects(waitUntilTableExists({ client, maxWaitTime: 2, minDelay: 1 }, { TableName: 'Nothing' }),
    { name: 'TimeoutError' });
});
