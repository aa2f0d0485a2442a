// dynamodb-onetable on top of the server; it makes and removes its table itself.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Table } from 'dynamodb-onetable';
import { Dynamo } from 'dynamodb-onetable/Dynamo';

const table = new Table({
  client: new Dynamo({ client: new DynamoDBClient({ endpoint: process.env.MAGNETO_ENDPOINT, maxAttempts: 1 }) }),
  name: 'OneTable',
  partial: true,
  schema: {
    format: 'onetable:1.1.0',
    version: '0.0.1',
    indexes: {
      primary: { hash: 'pk', sort: 'sk' },
      gs1: { hash: 'gs1pk', sort: 'gs1sk', project: 'all' },
      ls1: { sort: 'age', type: 'local', project: 'all' },
    },
    models: {
      User: {
        pk: { type: String, value: 'account#${account}' },
        sk: { type: String, value: 'user#${name}' },
        gs1pk: { type: String, value: 'city#${city}' },
        gs1sk: { type: String, value: 'user#${name}' },
        account: { type: String, required: true },
        name: { type: String, required: true },
        city: { type: String },
        age: { type: Number },
        tags: { type: Set },
        born: { type: Date },
        address: { type: Object, schema: { street: { type: String }, zip: { type: Number } } },
      },
      Account: {
        pk: { type: String, value: 'account#${name}' },
        sk: { type: String, value: 'account#' },
        name: { type: String, required: true },
        email: { type: String, unique: true },
      },
    },
    params: { isoDates: true, timestamps: true },
  },
});
const User = table.getModel('User');
const Account = table.getModel('Account');

const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const named = (index) => `n${String(index).padStart(3, '0')}`;

before(() => table.createTable());
after(() => table.deleteTable('DeleteTableForever'));

test('OneTable: the table it makes', async () => {
  assert.equal(await table.exists(), true);
  const { Table: description } = await table.describeTable();
  assert.deepEqual(description.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName), ['gs1']);
  assert.deepEqual(description.LocalSecondaryIndexes.map(({ IndexName }) => IndexName), ['ls1']);
});

test('OneTable: create, get, update and remove with conditions', async () => {
  const ana = { account: 'acme', name: 'ana', city: 'Oslo', age: 30, born: new Date(0), address: { street: 'Elm' } };
  await User.create(ana);
  await assert.rejects(User.create(ana), { code: 'ConditionalCheckFailedException' });
  const key = { account: 'acme', name: 'ana' };
  const { created, updated, ...stored } = await User.get(key, { consistent: true });
  assert.deepEqual(stored, ana);
  assert.ok(created <= updated);

  const changed = await User.update(key, { add: { age: 5 }, set: { 'address.zip': '{123}' }, remove: ['born'] });
  assert.equal(changed.age, 35);
  assert.deepEqual(changed.address, { street: 'Elm', zip: 123 });
  assert.equal(changed.born, undefined);
  await assert.rejects(User.update({ ...key, age: 1 }, { where: '${age} > {100}' }), { code: 'ConditionalCheckFailedException' });
  await assert.rejects(User.update({ account: 'acme', name: 'ghost', age: 1 }));
  await User.remove(key);
  assert.equal(await User.get(key), undefined);
});

test('OneTable: a unique attribute', async () => {
  await Account.create({ name: 'acme', email: 'a@x.org' });
  await assert.rejects(Account.create({ name: 'bolt', email: 'a@x.org' }), { code: 'UniqueError' });
  await Account.update({ name: 'acme', email: 'b@x.org' });
  await Account.create({ name: 'bolt', email: 'a@x.org' });
  await Account.remove({ name: 'acme' });
  await Account.create({ name: 'core', email: 'b@x.org' });
  assert.equal((await Account.get({ name: 'core' })).email, 'b@x.org');
});

test('OneTable: batches, query indexes page by page, scan', async () => {
  const batch = {};
  for (const index of numbers(25)) {
    await User.create({ account: 'bolt', name: named(index), city: 'Rome', age: 100 - index }, { batch });
  }
  await table.batchWrite(batch);
  const found = [];
  let next;
  let pages = 0;
  do {
    const page = await User.find({ city: 'Rome' }, { index: 'gs1', limit: 10, reverse: true, next });
    found.push(...page.map(({ name }) => name));
    next = page.next;
    pages += 1;
  } while (next);
  assert.deepEqual(found, numbers(25).map((index) => named(24 - index)));
  assert.equal(pages, 3);
  const oldest = await User.find({ account: 'bolt', age: { '>=': 98 } }, { index: 'ls1', follow: false });
  assert.deepEqual(oldest.map(({ age }) => age), [98, 99, 100]);
  const prefixed = await User.find({ account: 'bolt', sk: { begins: 'user#n01' } });
  assert.equal(prefixed.length, 10);
  const filtered = await User.scan({ account: 'bolt' }, { where: '${age} < {80}', count: true });
  assert.equal(filtered.count, 4);

  const reads = {};
  for (const index of [0, 7, 99]) await User.get({ account: 'bolt', name: named(index) }, { batch: reads });
  const got = await table.batchGet(reads, { parse: true, hidden: false });
  assert.deepEqual(got.map(({ age }) => age).sort(), [100, 93]);
});

test('OneTable: transactions', async () => {
  const write = async () => {
    const transaction = {};
    await User.create({ account: 'core', name: 'cy', city: 'Bern', age: 1 }, { transaction });
    await User.update({ account: 'core', name: 'dee', age: 2 }, { transaction, exists: null });
    return table.transact('write', transaction);
  };
  await write();
  await assert.rejects(write(), { code: 'TransactionCanceledException' });
  const transaction = {};
  await User.get({ account: 'core', name: 'cy' }, { transaction });
  await User.get({ account: 'core', name: 'dee' }, { transaction });
  const found = await table.transact('get', transaction, { parse: true, hidden: false });
  assert.deepEqual(found.map(({ age }) => age), [1, 2]);
});
