// With --auth verify and conformance/keys.ini: who is served, and what the SDK makes of refusals.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';

const listTables = async (credentials, more = {}) => {
  const client = new DynamoDBClient({
    endpoint: process.env.MAGNETO_ENDPOINT, region: 'us-east-1', credentials, ...more });
  try {
    return await client.send(new ListTablesCommand({}));
  } finally {
    client.destroy();
  }
};

const key = { accessKeyId: 'dummy', secretAccessKey: 'dummy' };
const session = { accessKeyId: 'SESSION', secretAccessKey: 'secret/of+session', sessionToken: 'to/ken+==' };

test('keys of the file are let in', async () => {
  assert.deepEqual((await listTables(key)).TableNames, []);
  assert.deepEqual((await listTables(session)).TableNames, []);
});

test('others are refused in the words of AWS', async () => {
  for (const [credentials, name] of [
    [{ ...key, secretAccessKey: 'wrong' }, 'InvalidSignatureException'],
    [{ ...key, accessKeyId: 'nobody' }, 'UnrecognizedClientException'],
    [{ ...session, sessionToken: undefined }, 'UnrecognizedClientException'],
    [{ ...session, sessionToken: 'other' }, 'UnrecognizedClientException'],
    [{ accessKeyId: 'OVER', secretAccessKey: 'over', sessionToken: 'over' }, 'ExpiredTokenException'],
  ]) {
    await assert.rejects(listTables(credentials), { name });
  }
});

test('a client whose clock is off is refused, sets it right by the answer and is let in', async () => {
  const hour = 60 * 60 * 1000;
  for (const systemClockOffset of [-hour, hour]) {
    await assert.rejects(listTables(key, { systemClockOffset, maxAttempts: 1 }), {
      name: 'InvalidSignatureException', message: /^Signature (expired|not yet current): / });
    assert.deepEqual((await listTables(key, { systemClockOffset })).TableNames, []);
  }
});
