// Every member of the package for JavaScript, once, against a server of its own.

import { strict as assert } from 'node:assert';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { connect, ControlError, Fork, JournalError, Namespace, Server, start, StartError } from 'magneto';

function clientOf(space, more = {}) {
  return new DynamoDBClient({ ...space.clientConfig, maxAttempts: 1, ...more });
}

async function count(client) {
  return (await client.send(new ScanCommand({ TableName: 'Tab' }))).Count;
}

async function walkClock(space) {
  await space.clock.freeze();
  await space.clock.set(new Date('2031-02-03T13:00:00+01:00'));
  assert.equal((await space.clock.now()).toISOString(), '2031-02-03T12:00:00.000Z');
  await space.clock.advance('90m');
  assert.equal((await space.clock.now()).toISOString(), '2031-02-03T13:30:00.000Z');
  await space.clock.unfreeze();
  assert.equal((await space.control('GET', 'clock')).frozen, false);
  await space.clock.reset();
  assert.ok(Math.abs((await space.clock.now()).getTime() - Date.now()) < 3600_000);
  await assert.rejects(space.clock.advance('long'), (error) => error instanceof ControlError && error.status === 400);
}

async function walkFaults(space, client) {
  const rule = await space.faults.add({ error: 'InternalServerError' }, { operations: ['ListTables'] });
  assert.deepEqual((await space.faults.list()).map(({ id }) => id), [rule]);
  await assert.rejects(client.send(new ListTablesCommand()), { name: 'InternalServerError' });
  await space.faults.remove(rule);
  assert.deepEqual(await space.faults.list(), []);
  await space.faults.add({ error: 'InternalServerError' });
  await space.faults.clear();
  assert.deepEqual((await client.send(new ListTablesCommand())).TableNames, ['Tab']);
}

async function walkJournal(space, client) {
  await space.journal.start({ bodies: true });
  await client.send(new PutItemCommand({ TableName: 'Tab', Item: { pk: { S: 'a' } } }));
  await count(client);
  assert.deepEqual((await space.journal.records()).map(({ operation }) => operation), ['PutItem', 'Scan']);
  const [record] = await space.journal.records({ operation: 'Scan', table: 'Tab' });
  await space.journal.check([{ no_scan: true }], { after: Number(record.number) });
  await assert.rejects(space.journal.check([{ no_errors: true }, { no_scan: true }]),
    (error) => error instanceof JournalError && /Scan/.test(error.message));
  await space.journal.stop();
  await count(client);
  assert.equal((await space.journal.records()).length, 2);
  await space.journal.clear();
  assert.deepEqual(await space.journal.records(), []);
}

async function walkForks(server) {
  await clientOf(server).send(new PutItemCommand({ TableName: 'Tab', Item: { pk: { S: 'kept' } } }));
  const fork = await server.fork({ name: 'named', port: true, expiresAfter: '1m' });
  assert.ok(fork instanceof Fork && fork instanceof Namespace);
  assert.equal(fork.name, 'named');
  assert.equal(fork.accessKeyId, 'named');
  assert.notEqual(fork.endpoint, server.endpoint);
  const anyone = clientOf(fork, { credentials: { accessKeyId: 'anyone', secretAccessKey: fork.secretAccessKey } });
  assert.equal(await fork.truncate('Tab'), 2);
  assert.equal(await count(anyone), 0);
  const second = await fork.fork();
  assert.equal(second.endpoint, server.endpoint);
  assert.equal(await count(clientOf(second)), 0);
  await second.delete();
  await fork.reset();
  await fork.settle('10s');
  assert.equal(await count(anyone), 2);
  await fork.delete();
  await assert.rejects(fork.clock.now(), ControlError);
  assert.equal(await server.truncate(), 2);
}

const started = await start();
assert.ok(started instanceof Server);
assert.equal(started.port, Number(new URL(started.endpoint).port));
await clientOf(started).send(new CreateTableCommand({
  TableName: 'Tab', BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] }));
const running = connect(`${started.endpoint}/`, started.token);
for (const space of [started, running]) {
  await walkClock(space);
  await walkFaults(space, clientOf(space));
  await walkJournal(space, clientOf(space));
  await walkForks(space);
}
assert.equal(running.pid, undefined);
await running.stop();
assert.equal((await started.control('GET')).tables, 1);
await assert.rejects(connect(started.endpoint, 'wrong').control('GET'), (error) => error instanceof ControlError && error.status === 401);
assert.throws(() => connect(), StartError);
await assert.rejects(start({ cwd: '/no/such/folder' }), StartError);
await started.stop();
await started.stop();
