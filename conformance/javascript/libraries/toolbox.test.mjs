// dynamodb-toolbox on top of the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Entity } from 'dynamodb-toolbox/entity';
import { BatchDeleteRequest } from 'dynamodb-toolbox/entity/actions/batchDelete';
import { BatchGetRequest } from 'dynamodb-toolbox/entity/actions/batchGet';
import { BatchPutRequest } from 'dynamodb-toolbox/entity/actions/batchPut';
import { DeleteItemCommand } from 'dynamodb-toolbox/entity/actions/delete';
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get';
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put';
import { ConditionCheck } from 'dynamodb-toolbox/entity/actions/transactCheck';
import { execute as transactGet, GetTransaction } from 'dynamodb-toolbox/entity/actions/transactGet';
import { PutTransaction } from 'dynamodb-toolbox/entity/actions/transactPut';
import { UpdateTransaction } from 'dynamodb-toolbox/entity/actions/transactUpdate';
import { execute as transactWrite } from 'dynamodb-toolbox/entity/actions/transactWrite';
import { $add, $append, $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update';
import { item, list, map, number, set, string } from 'dynamodb-toolbox/schema';
import { Table } from 'dynamodb-toolbox/table';
import { BatchGetCommand, execute as batchGet } from 'dynamodb-toolbox/table/actions/batchGet';
import { BatchWriteCommand, execute as batchWrite } from 'dynamodb-toolbox/table/actions/batchWrite';
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query';
import { ScanCommand } from 'dynamodb-toolbox/table/actions/scan';
import { prefix } from 'dynamodb-toolbox/transformers/prefix';
import { client, withTables } from '../tables.mjs';

const shop = new Table({
  documentClient: client,
  name: 'ToolboxShop',
  partitionKey: { name: 'PK', type: 'string' },
  sortKey: { name: 'SK', type: 'string' },
  indexes: {
    byCity: {
      type: 'global', partitionKey: { name: 'city', type: 'string' }, sortKey: { name: 'spent', type: 'number' },
    },
  },
});

const Customer = new Entity({
  name: 'Customer',
  table: shop,
  schema: item({
    name: string().key().transform(prefix('CUSTOMER')).savedAs('PK'),
    role: string().key().default('CUSTOMER').savedAs('SK'),
    city: string().optional(),
    spent: number().default(0),
    tags: set(string()).optional(),
    visits: list(string()).optional(),
    address: map({ street: string(), zip: number().optional() }).optional(),
  }),
});

const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const refused = (promise, name) => assert.rejects(promise, { name });

async function fill(count) {
  const people = numbers(count).map((index) => (
    Customer.build(BatchPutRequest).item({ name: `n${index}`, city: 'Rome', spent: index })));
  for (let start = 0; start < count; start += 25) {
    await batchWrite(shop.build(BatchWriteCommand).requests(...people.slice(start, start + 25)));
  }
}

const tables = { ToolboxShop: { key: 'PK, SK', global: { byCity: 'city, spent:N' } } };
const onTable = (name, body) => test(`dynamodb-toolbox: ${name}`, () => withTables(tables, {}, body));

onTable('put, get, update and delete with conditions', async () => {
  const ana = { name: 'ana', city: 'Oslo', spent: 10, tags: new Set(['new', 'vip']), address: { street: 'Elm' } };
  const absent = { condition: { attr: 'name', exists: false } };
  const get = async () => (await Customer.build(GetItemCommand).key({ name: 'ana' }).options({ consistent: true }).send()).Item;
  await Customer.build(PutItemCommand).item(ana).options(absent).send();
  await refused(Customer.build(PutItemCommand).item(ana).options(absent).send(), 'ConditionalCheckFailedException');
  const { created, modified, entity, role, ...stored } = await get();
  assert.deepEqual({ ...stored, role }, { ...ana, role: 'CUSTOMER' });
  assert.ok(created && modified);

  const { Attributes } = await Customer.build(UpdateItemCommand).item({
    name: 'ana', spent: $add(5), visits: $append(['monday']), address: { zip: 123 }, tags: $remove(),
  }).options({ condition: { attr: 'spent', lt: 100 }, returnValues: 'ALL_NEW' }).send();
  assert.equal(Attributes.spent, 15);
  assert.deepEqual(Attributes.visits, ['monday']);
  assert.deepEqual(Attributes.address, { street: 'Elm', zip: 123 });
  assert.equal(Attributes.tags, undefined);

  const rich = { condition: { attr: 'spent', gte: 100 } };
  await refused(Customer.build(DeleteItemCommand).key({ name: 'ana' }).options(rich).send(), 'ConditionalCheckFailedException');
  const old = await Customer.build(DeleteItemCommand).key({ name: 'ana' }).options({ returnValues: 'ALL_OLD' }).send();
  assert.equal(old.Attributes.spent, 15);
  assert.equal(await get(), undefined);
});

onTable('query an index page by page, scan, batch get', async () => {
  await fill(60);
  const query = shop.build(QueryCommand).query({ index: 'byCity', partition: 'Rome', range: { gte: 10 } }).entities(Customer);
  const found = [];
  let exclusiveStartKey;
  let pages = 0;
  do {
    const page = await query.options({ limit: 20, reverse: true, exclusiveStartKey }).send();
    found.push(...page.Items.map(({ spent }) => spent));
    exclusiveStartKey = page.LastEvaluatedKey;
    pages += 1;
  } while (exclusiveStartKey !== undefined);
  assert.deepEqual(found, numbers(50).map((index) => 59 - index));
  assert.equal(pages, 3);

  const filtered = await shop.build(ScanCommand).entities(Customer).options({
    maxPages: Infinity, limit: 7, filters: { Customer: { attr: 'spent', lt: 5 } },
  }).send();
  assert.deepEqual(filtered.Items.map(({ spent }) => spent).sort(), [0, 1, 2, 3, 4]);

  const requests = ['n1', 'n59', 'ghost'].map((name) => Customer.build(BatchGetRequest).key({ name }));
  const { Responses } = await batchGet({ consistent: true }, shop.build(BatchGetCommand).requests(...requests));
  assert.deepEqual(Responses[0].map((row) => row?.spent), [1, 59, undefined]);

  await batchWrite(shop.build(BatchWriteCommand).requests(Customer.build(BatchDeleteRequest).key({ name: 'n1' })));
  assert.equal((await shop.build(ScanCommand).options({ maxPages: Infinity, select: 'COUNT' }).send()).Count, 59);
});

onTable('transactions', async () => {
  await fill(2);
  const isNew = { condition: { attr: 'name', exists: false } };
  const write = () => transactWrite(
    Customer.build(ConditionCheck).key({ name: 'n0' }).condition({ attr: 'spent', eq: 0 }),
    Customer.build(PutTransaction).item({ name: 'cy', city: 'Rome', spent: 7 }).options(isNew),
    Customer.build(UpdateTransaction).item({ name: 'n1', spent: $add(1) }),
  );
  await write();
  await assert.rejects(write(), (error) => {
    assert.equal(error.name, 'TransactionCanceledException');
    assert.deepEqual(error.CancellationReasons.map(({ Code }) => Code), ['None', 'ConditionalCheckFailed', 'None']);
    return true;
  });
  const { Responses } = await transactGet(
    ...['n0', 'n1', 'cy', 'ghost'].map((name) => Customer.build(GetTransaction).key({ name })));
  assert.deepEqual(Responses.map(({ Item }) => Item?.spent), [0, 2, 7, undefined]);
});
