// The twelve tasks of docs/browser.md, with the clicks that they take here: no more than in
// dynamodb-admin (5.3.3, counted by clicks/dynamodb_admin.mjs by the same rules).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { kTable, makeOrders, ordersOf, tasks } from './clicks/tasks.mjs';
import { Hand } from './clicks/hand.mjs';
import { call, closeBrowser, openPage, waitUntil } from './page.mjs';

after(closeBrowser);

// null: it cannot be done there.
const inDynamodbAdmin = {
  find: 4, follow: 7, edit: 4, create: 8, add: null, query: 9, page: 2, export: null, watch: null, undo: null, deleteMany: 16, copy: 3,
};
const here = {};

const rows = (page) => page.locator('.items-grid tbody tr');
const rowCount = (page, count) => page.waitForFunction(
  (wanted) => document.querySelectorAll('.items-grid tbody tr').length === wanted, count);
const button = (page, name) => page.getByRole('button', { name, exact: true });
const item = (page) => page.getByRole('region', { name: 'Item' });
const input = (within, name) => within.getByLabel(name, { exact: true }).and(within.locator('input'));

async function openTable(page, hand) {
  await hand.click(page.locator('main').getByRole('link', { name: kTable, exact: true }));
  await rows(page).first().waitFor();
}

const openOverview = (page, hand) => hand.click(
  page.locator('main').getByRole('row', { name: new RegExp(kTable) }).locator('a', { hasText: 'overview' }));

async function filterBy(page, hand, name, value) {
  await hand.click(button(page, 'Filter'));
  const filter = page.getByRole('group', { name: 'Filter 1' });
  await hand.write(filter.getByLabel('Attribute'), name);
  await hand.write(input(filter, 'Value'), value);
}

/** Each does its task and checks that it is done. */
const ways = {
  async find(page, hand) {
    await openTable(page, hand);
    await hand.write(page.locator('[data-field=partition0] input'), 'c-3');
    await hand.write(page.locator('[data-field=sort0value]'), 'o-007');
    await hand.click(button(page, 'Run'));
    await rowCount(page, 1);
    await rows(page).getByText('o-007').waitFor();
  },

  async follow(page, hand) {
    await openTable(page, hand);
    await hand.choose(page.getByLabel('Table or index'), 'byStatus');
    await hand.write(page.locator('[data-field=partition0] input'), 'SENT');
    await hand.click(button(page, 'Run'));
    await page.waitForURL(/index=byStatus&pk=SENT/);
    await rows(page).first().waitFor();
  },

  async edit(page, hand) {
    await openTable(page, hand);
    await hand.click(rows(page).first().locator('td').nth(2));
    await hand.write(item(page).getByLabel('Value of address.city'), 'Oslo');
    await hand.click(button(page, 'Save'));
    await page.getByText('Saved.').waitFor();
    assert.equal((await ordersOf('#a.#c = :c', { ':c': { S: 'Oslo' } }, { '#a': 'address', '#c': 'city' })).length, 1);
  },

  async create(page, hand) {
    await call('DeleteTable', { TableName: 'clicks-new' }).catch(() => {});
    await hand.click(page.locator('main').getByRole('button', { name: 'New table' }).or(page.locator('main').getByRole('link', { name: 'New table' })));
    await hand.write(page.getByLabel('Table name'), 'clicks-new');
    await hand.write(input(page, 'Partition key'), 'id');
    await hand.click(button(page, 'Add a global index'));
    const index = page.getByRole('group', { name: 'Global index' });
    await hand.write(index.getByLabel('Name'), 'byMail');
    await hand.write(input(index, 'Partition key'), 'mail');
    await hand.click(button(page, 'Create the table'));
    await page.getByRole('heading', { name: 'clicks-new' }).waitFor();
    assert.equal((await call('DescribeTable', { TableName: 'clicks-new' })).Table.GlobalSecondaryIndexes[0].IndexName, 'byMail');
  },

  async add(page, hand) {
    await openOverview(page, hand);
    await hand.click(button(page, 'Add a global index'));
    const dialog = page.getByRole('dialog');
    await hand.write(dialog.getByLabel('Name'), 'byTotal');
    await hand.write(input(dialog, 'Partition key'), 'city');
    await hand.click(dialog.getByRole('button', { name: 'Add the index' }));
    await page.getByRole('link', { name: 'byTotal' }).waitFor();
  },

  async query(page, hand) {
    await openTable(page, hand);
    await hand.write(page.locator('[data-field=partition0] input'), 'c-2');
    await filterBy(page, hand, 'total', '40');
    await hand.click(button(page, 'Run'));
    await rowCount(page, 2);
  },

  async page(page, hand) {
    await openTable(page, hand);
    await hand.click(page.getByRole('button', { name: 'Next' }));
    await page.getByText('51–100').waitFor();
  },

  async export(page, hand) {
    await openTable(page, hand);
    await hand.click(button(page, 'Export'));
    const download = page.waitForEvent('download');
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Export' }));
    await download;
  },

  async watch(page, hand) {
    await openTable(page, hand);
    await hand.click(page.getByRole('link', { name: 'Stream', exact: true }));
    await page.getByText(/Reading \d+ shard/).waitFor();
    await call('PutItem', { TableName: kTable, Item: { customer: { S: 'c-9' }, order: { S: 'o-9' } } });
    await page.getByRole('heading', { name: 'order = o-9' }).or(page.getByRole('heading', { name: 'customer = c-9' })).waitFor();
  },

  async undo(page, hand) {
    await openTable(page, hand);
    await hand.click(rows(page).first().locator('td').nth(2));
    await hand.click(item(page).getByRole('button', { name: 'Delete' }));
    await page.getByText('deleted').first().waitFor();
    assert.equal((await ordersOf('attribute_exists(#c)', undefined, { '#c': 'customer' })).length, 239);
    await hand.click(button(page, 'Undo'));
    await waitUntil(async () => (await ordersOf('attribute_exists(#c)', undefined, { '#c': 'customer' })).length === 240, 'the item is back');
  },

  async deleteMany(page, hand) {
    await openTable(page, hand);
    await filterBy(page, hand, 'status', 'OLD');
    await hand.click(button(page, 'Run'));
    await rowCount(page, 3);
    await hand.click(button(page, 'Delete matching items'));
    const dialog = page.getByRole('dialog');
    await hand.write(dialog.getByLabel('Number of items'), '3');
    await hand.click(dialog.getByRole('button', { name: /^Delete 3 items/ }));
    await page.getByText(/3 items.* deleted/).first().waitFor();
    assert.deepEqual(await ordersOf('#s = :s', { ':s': { S: 'OLD' } }, { '#s': 'status' }), []);
  },

  async copy(page, hand) {
    await openOverview(page, hand);
    await hand.click(button(page, 'Copy as …'));
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }));
    await page.getByText('Copied.').waitFor();
  },
};

before(makeOrders);

for (const [name, sentence] of tasks) {
  test(sentence, async () => {
    if (name !== 'find') await makeOrders();
    const page = await openPage('tables');
    const hand = new Hand(page);
    await ways[name](page, hand);
    here[name] = hand.clicks;
    await page.done();
    assert.ok(hand.clicks <= (inDynamodbAdmin[name] ?? Infinity), `${hand.clicks} clicks, ${inDynamodbAdmin[name]} in dynamodb-admin`);
  });
}

test('all twelve', (context) => {
  for (const [name, sentence] of tasks) context.diagnostic(`${here[name]} clicks, ${inDynamodbAdmin[name] ?? 'not possible'} there: ${sentence}`);
  assert.equal(Object.keys(here).length, 12);
});
