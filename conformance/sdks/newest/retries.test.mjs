// The SDK as it is by default: four calls, further apart where the answer asks for that. The server has a control token.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';

async function control(method, path, body) {
  const answer = await fetch(`${process.env.MAGNETO_ENDPOINT}/_/namespaces/main/${path}`, {
    method,
    headers: { Authorization: 'Bearer proof' },
    body: body && JSON.stringify(body),
  });
  assert.ok(answer.ok, await answer.clone().text());
  return await answer.json();
}

/** The milliseconds of a call that a rule refuses each time. */
async function refused(fault) {
  await control('POST', 'faults', { operations: ['ListTables'], fault });
  const begun = performance.now();
  await assert.rejects(new DynamoDBClient().send(new ListTablesCommand()), (error) => {
    assert.equal(error.name, fault.error);
    assert.equal(error.$metadata.attempts, 4);
    return true;
  });
  const { rules: [rule] } = await control('GET', 'faults');
  assert.equal(rule.hits, 4);
  return performance.now() - begun;
}

afterEach(() => control('DELETE', 'faults'));

test('stops after four calls', () => refused({ error: 'InternalServerError' }));

test('waits as long as the answer asks', async () => {
  assert.ok(await refused({ error: 'InternalServerError', retry_after: '700ms' }) > 2000);
});

test('succeeds with the fourth call', async () => {
  await control('POST', 'faults', { operations: ['ListTables'], count: 3, fault: { error: 'InternalServerError' } });
  const answer = await new DynamoDBClient().send(new ListTablesCommand());
  assert.equal(answer.$metadata.attempts, 4);
});
