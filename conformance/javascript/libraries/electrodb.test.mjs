// ElectroDB on top of the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Entity, Service } from 'electrodb';
import { client, withTables } from '../tables.mjs';

const options = { client, table: 'ElectroShop' };

const Employee = new Entity({
  model: { entity: 'employee', version: '1', service: 'shop' },
  attributes: {
    id: { type: 'string', required: true },
    team: { type: 'string', required: true },
    office: { type: 'string', required: true },
    salary: { type: 'number', default: 0 },
    skills: { type: 'set', items: 'string' },
    notes: { type: 'list', items: { type: 'string' } },
  },
  indexes: {
    employee: { pk: { field: 'pk', composite: ['id'] }, sk: { field: 'sk', composite: [] } },
    office: {
      index: 'gsi1', collection: 'workplace',
      pk: { field: 'gsi1pk', composite: ['office'] }, sk: { field: 'gsi1sk', composite: ['team', 'id'] },
    },
  },
}, options);

const Office = new Entity({
  model: { entity: 'office', version: '1', service: 'shop' },
  attributes: { office: { type: 'string', required: true }, street: { type: 'string' } },
  indexes: {
    office: { pk: { field: 'pk', composite: ['office'] }, sk: { field: 'sk', composite: [] } },
    workplace: {
      index: 'gsi1', collection: 'workplace',
      pk: { field: 'gsi1pk', composite: ['office'] }, sk: { field: 'gsi1sk', composite: [] },
    },
  },
}, options);

const shop = new Service({ employee: Employee, office: Office });

const numbers = (count) => Array.from({ length: count }, (_, index) => index);
const named = (index) => `e${String(index).padStart(3, '0')}`;

const tables = { ElectroShop: { key: 'pk, sk', global: { gsi1: 'gsi1pk, gsi1sk' } } };
const onTable = (name, body) => test(`ElectroDB: ${name}`, () => withTables(tables, {}, body));

// ElectroDB gives an error of the server a name of its own and keeps it as the cause.
async function refused(promise) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.cause.name, 'ConditionalCheckFailedException');
    return true;
  });
}

onTable('put, get, update and delete with conditions', async () => {
  const ana = { id: 'ana', team: 'red', office: 'oslo', salary: 10, skills: ['c', 'lua'] };
  await Employee.create(ana).go();
  await refused(Employee.create(ana).go());
  assert.deepEqual((await Employee.get({ id: 'ana' }).go({ consistent: true })).data, ana);

  const { data } = await Employee.patch({ id: 'ana' })
    .add({ salary: 5, skills: ['sql'] }).append({ notes: ['hired'] }).set({ office: 'rome', team: 'red' })
    .where(({ salary }, { lt }) => lt(salary, 100))
    .go({ response: 'all_new' });
  assert.deepEqual(data, { ...ana, salary: 15, skills: ['c', 'lua', 'sql'], notes: ['hired'], office: 'rome' });
  assert.deepEqual((await Employee.query.office({ office: 'oslo' }).go()).data, []);
  assert.equal((await Employee.query.office({ office: 'rome' }).go()).data.length, 1);

  await refused(Employee.patch({ id: 'ghost' }).set({ salary: 1 }).go());
  await refused(Employee.delete({ id: 'ana' }).where(({ salary }, { gt }) => gt(salary, 100)).go());
  assert.equal((await Employee.remove({ id: 'ana' }).go({ response: 'all_old' })).data.salary, 15);
  assert.equal((await Employee.get({ id: 'ana' }).go()).data, null);
});

onTable('query an index and a collection page by page, scan, batches', async () => {
  const people = numbers(60).map((index) => ({ id: named(index), team: index % 2 ? 'blue' : 'red', office: 'rome', salary: index }));
  assert.deepEqual((await Employee.put(people).go()).unprocessed, []);
  await Office.put({ office: 'rome', street: 'Elm' }).go();

  const found = [];
  let cursor = null;
  let pages = 0;
  do {
    const page = await Employee.query.office({ office: 'rome', team: 'red' }).go({ cursor, limit: 12, order: 'desc' });
    found.push(...page.data.map(({ salary }) => salary));
    cursor = page.cursor;
    pages += 1;
  } while (cursor !== null);
  assert.deepEqual(found, numbers(30).map((index) => 58 - 2 * index));
  assert.equal(pages, 3);

  const workplace = await shop.collections.workplace({ office: 'rome' }).go({ pages: 'all', limit: 17 });
  assert.equal(workplace.data.employee.length, 60);
  assert.deepEqual(workplace.data.office, [{ office: 'rome', street: 'Elm' }]);

  const between = await Employee.query.office({ office: 'rome' })
    .between({ team: 'blue', id: named(10) }, { team: 'blue', id: named(15) }).go();
  assert.deepEqual(between.data.map(({ salary }) => salary), [11, 13, 15]);
  const rich = await Employee.scan.where(({ salary }, { gte }) => gte(salary, 57)).go({ pages: 'all' });
  assert.deepEqual(rich.data.map(({ salary }) => salary).sort(), [57, 58, 59]);

  const batch = await Employee.get([...people.map(({ id }) => ({ id })), { id: 'ghost' }]).go();
  assert.deepEqual(batch.data.map(({ salary }) => salary).sort((a, b) => a - b), numbers(60));
  assert.deepEqual(batch.unprocessed, []);
  await Employee.delete(people.slice(0, 30).map(({ id }) => ({ id }))).go();
  assert.equal((await Employee.scan.go({ pages: 'all' })).data.length, 30);
});

onTable('transactions', async () => {
  await Employee.put([{ id: 'ana', team: 'red', office: 'rome' }, { id: 'bo', team: 'red', office: 'rome' }]).go();
  const write = () => shop.transaction.write(({ employee, office }) => [
    employee.check({ id: 'ana' }).where(({ salary }, { eq }) => eq(salary, 0)).commit(),
    office.create({ office: 'rome' }).commit(),
    employee.update({ id: 'bo' }).add({ salary: 7 }).commit(),
  ]).go();
  assert.equal((await write()).canceled, false);
  const second = await write();
  assert.equal(second.canceled, true);
  assert.deepEqual(second.data.map(({ rejected, code }) => [rejected, code]),
    [[false, 'None'], [true, 'ConditionalCheckFailed'], [false, 'None']]);
  const { data } = await shop.transaction.get(({ employee, office }) => [
    employee.get({ id: 'bo' }).commit(), office.get({ office: 'rome' }).commit(), office.get({ office: 'none' }).commit(),
  ]).go();
  assert.deepEqual(data.map(({ item }) => item?.salary ?? item?.office ?? null), [7, 'rome', null]);
});
