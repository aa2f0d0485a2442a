// Dynamoose on top of the server; it makes and removes its tables itself.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DescribeTableCommand, DynamoDB } from '@aws-sdk/client-dynamodb';
import dynamoose from 'dynamoose';

const database = new DynamoDB({ endpoint: process.env.MAGNETO_ENDPOINT, maxAttempts: 1 });
dynamoose.aws.ddb.set(database);

const schema = new dynamoose.Schema({
  id: { type: String, hashKey: true },
  kind: { type: String, rangeKey: true },
  city: { type: String, index: { name: 'byCity', type: 'global', rangeKey: 'age' } },
  age: { type: Number },
  born: { type: Date },
  tags: { type: Set, schema: [String] },
  notes: { type: Array, schema: [String] },
  address: { type: Object, schema: { street: String, zip: Number } },
}, { timestamps: true });

const Person = dynamoose.model('DynamoosePerson', schema);
const table = new dynamoose.Table('DynamooseTable', [Person], {
  initialize: false, create: true, update: true, throughput: 'ON_DEMAND',
  waitForActive: { enabled: true, check: { timeout: 60000, frequency: 10 } },
});

const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const refused = (promise, name) => assert.rejects(promise, { name });

before(() => table.initialize());
after(() => database.deleteTable({ TableName: 'DynamooseTable' }));

test('Dynamoose: the table it makes', async () => {
  const { Table } = await database.send(new DescribeTableCommand({ TableName: 'DynamooseTable' }));
  assert.equal(Table.TableStatus, 'ACTIVE');
  assert.deepEqual(Table.KeySchema.map(({ AttributeName }) => AttributeName), ['id', 'kind']);
  assert.deepEqual(Table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName), ['byCity']);
});

test('Dynamoose: create, get, update and delete with conditions', async () => {
  const key = { id: 'ana', kind: 'person' };
  const ana = { ...key, city: 'Oslo', age: 30, born: new Date(0), tags: new Set(['a', 'b']), address: { street: 'Elm', zip: 1 } };
  await Person.create(ana);
  await refused(Person.create(ana), 'ConditionalCheckFailedException');
  const { createdAt, updatedAt, ...stored } = { ...(await Person.get(key, { consistent: true })) };
  assert.deepEqual(stored, ana);
  assert.ok(createdAt <= updatedAt);

  const young = new dynamoose.Condition().where('age').lt(40);
  const updated = await Person.update(key, { $ADD: { age: 1 }, $SET: { notes: ['hello'] }, $REMOVE: ['city'] }, { condition: young });
  assert.equal(updated.age, 31);
  assert.deepEqual(updated.notes, ['hello']);
  assert.equal(updated.city, undefined);
  const old = new dynamoose.Condition().where('age').gt(40);
  await refused(Person.update(key, { age: 1 }, { condition: old }), 'ConditionalCheckFailedException');
  await refused(Person.delete(key, { condition: old }), 'ConditionalCheckFailedException');
  await Person.delete(key);
  assert.equal(await Person.get(key), undefined);
});

test('Dynamoose: batches, query an index page by page, scan', async () => {
  const people = numbers(60).map((index) => ({ id: `n${index}`, kind: 'person', city: 'Rome', age: index }));
  for (let start = 0; start < people.length; start += 25) {
    const { unprocessedItems } = await Person.batchPut(people.slice(start, start + 25));
    assert.deepEqual(unprocessedItems, []);
  }
  const found = [];
  let lastKey;
  let pages = 0;
  do {
    const query = Person.query('city').eq('Rome').where('age').ge(10).using('byCity').sort('descending').limit(20);
    const page = await (lastKey ? query.startAt(lastKey) : query).exec();
    found.push(...page.map(({ age }) => age));
    lastKey = page.lastKey;
    pages += 1;
  } while (lastKey);
  assert.deepEqual(found, numbers(50).map((index) => 59 - index));
  assert.equal(pages, 3);

  const counted = await Person.query('city').eq('Rome').using('byCity').filter('age').between(5, 7).count().exec();
  assert.equal(counted.count, 3);
  const scanned = await Person.scan('age').lt(5).limit(7).all().exec();
  assert.deepEqual(scanned.map(({ age }) => age).sort(), [0, 1, 2, 3, 4]);
  const parallel = await Person.scan().parallel(4).exec();
  assert.equal(parallel.length, 60);

  const keys = people.map(({ id, kind }) => ({ id, kind }));
  const got = await Person.batchGet([...keys, { id: 'ghost', kind: 'person' }]);
  assert.deepEqual(got.map(({ age }) => age).sort((a, b) => a - b), numbers(60));
  for (let start = 0; start < keys.length; start += 25) await Person.batchDelete(keys.slice(start, start + 25));
  assert.equal((await Person.scan().count().exec()).count, 0);
});

test('Dynamoose: transactions', async () => {
  const [ana, bo, cy] = ['ana', 'bo', 'cy'].map((id) => ({ id, kind: 'person' }));
  await Person.batchPut([{ ...ana, age: 1 }, { ...bo, age: 2 }]);
  const write = () => dynamoose.transaction([
    Person.transaction.condition(ana, new dynamoose.Condition().where('age').eq(1)),
    Person.transaction.create({ ...cy, age: 3 }),
    Person.transaction.update(bo, { $ADD: { age: 5 } }),
  ]);
  await write();
  await assert.rejects(write(), (error) => {
    assert.equal(error.name, 'TransactionCanceledException');
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ['None', 'ConditionalCheckFailed', 'None']);
    return true;
  });
  const found = await dynamoose.transaction([ana, bo, cy].map((key) => Person.transaction.get(key)));
  assert.deepEqual(found.map(({ age }) => age), [1, 7, 3]);
});
