// The twelve tasks in dynamodb-admin, with as few clicks as it allows. Not a test of Magneto: it makes
// a column of docs/browser.md.
//
//   npx dynamodb-admin --dynamo-endpoint=$MAGNETO_ENDPOINT -p 8001
//   DYNAMODB_ADMIN=http://127.0.0.1:8001 MAGNETO_ENDPOINT=... node clicks/dynamodb_admin.mjs

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

import { chromiumPath } from '../chromium.mjs';
import { call } from '../page.mjs';
import { Hand } from './hand.mjs';
import { kTable, makeOrders, ordersOf, tasks } from './tasks.mjs';

const address = process.env.DYNAMODB_ADMIN;

const openTable = ({ page, hand }) => hand.click(page.getByRole('link', { name: kTable }));
const rows = (page) => page.locator('#items-container tr');
const value = (page, at) => page.locator('.filter-row-value').nth(at);

async function search({ page, hand }) {
  await hand.click(page.getByRole('button', { name: 'Search' }));
  await page.locator('#table-placeholder.d-none').waitFor({ state: 'attached' });
}

/** Each does its task and checks it; what is not here cannot be done. */
const ways = {
  async find({ page, hand }) {
    await openTable({ page, hand });
    await hand.click(page.getByRole('link', { name: 'Get' }));
    await hand.write(page.locator('[name=hash]'), 'c-3');
    await hand.write(page.locator('[name=range]'), 'o-007');
    await hand.click(page.getByRole('button', { name: 'Get' }));
    await page.getByText('"o-007"').waitFor();
  },

  async follow({ page, hand }) {
    await openTable({ page, hand });
    await hand.choose(page.locator('[name=operationType]'), 'query');
    await hand.choose(page.locator('[name=queryableSelection]'), 'byStatus');
    const key = page.locator('#filters-table tr', { has: page.locator('[readonly]') });
    await hand.write(key.locator('.filter-row-value').last(), 'SENT');
    await search({ page, hand });
    assert.equal(await rows(page).count() > 0, true);
  },

  async edit({ page, hand }) {
    await openTable({ page, hand });
    await hand.click(rows(page).first().getByRole('link', { name: 'View' }));
    await hand.click(page.locator('.ace_line', { hasText: '"Lyon"' }).last(), { force: true });
    await page.keyboard.press('End');
    for (let at = 0; at < '"Lyon",'.length; ++at) await page.keyboard.press('Backspace');
    await page.keyboard.type('"Oslo",');
    await hand.click(page.getByRole('button', { name: 'Save' }));
    await page.locator('#saveButton.btn-success').waitFor();
    const changed = await ordersOf('#a.#c = :c', { ':c': { S: 'Oslo' } }, { '#a': 'address', '#c': 'city' });
    assert.equal(changed.length, 1);
  },

  async create({ page, hand }) {
    await call('DeleteTable', { TableName: 'clicks-new' }).catch(() => {});
    await hand.click(page.getByRole('link', { name: 'Create table' }));
    await hand.write(page.locator('#TableName'), 'clicks-new');
    await hand.write(page.locator('#HashAttributeName'), 'id');
    await hand.click(page.getByRole('button', { name: 'New Secondary Index' }));
    await hand.write(page.locator('[name=secondary-index-1-IndexName]'), 'byMail');
    await hand.write(page.locator('[name=secondary-index-1-HashAttributeName]'), 'mail');
    await hand.choose(page.locator('[name=secondary-index-1-HashAttributeType]'), 'S');
    await hand.click(page.getByRole('button', { name: 'Submit' }));
    await page.getByRole('link', { name: 'clicks-new' }).waitFor();
  },

  async query({ page, hand }) {
    await openTable({ page, hand });
    await hand.choose(page.locator('[name=operationType]'), 'query');
    const keys = page.locator('.filter-row-key');
    await hand.write(keys.nth(0), 'total');
    await hand.choose(page.locator('.filter-row-type').nth(0), 'N');
    await hand.write(value(page, 0), '40');
    await hand.write(value(page, 1), 'c-2');
    await search({ page, hand });
    assert.equal(await rows(page).count() > 0, true);
  },

  async page({ page, hand }) {
    await openTable({ page, hand });
    await hand.click(page.getByRole('link', { name: 'Next Page' }));
    await page.getByText('Page 2').waitFor();
  },

  async deleteMany({ page, hand }) {
    await openTable({ page, hand });
    for (let at = 0; at < 3; ++at) {
      await hand.write(page.locator('.filter-row-key').first(), 'status');
      await hand.write(value(page, 0), 'OLD');
      await search({ page, hand });
      await hand.click(rows(page).first().getByRole('link', { name: 'View' }));
      await hand.click(page.getByRole('button', { name: 'Delete' }));
      await page.waitForURL(new RegExp(`${kTable}$`));
    }
    assert.deepEqual(await ordersOf('#s = :s', { ':s': { S: 'OLD' } }, { '#s': 'status' }), []);
  },

  // DescribeTable's answer, which CreateTable does not take as it is.
  async copy({ page, hand }) {
    await openTable({ page, hand });
    await hand.click(page.getByRole('link', { name: 'Meta' }));
    await hand.click(page.locator('.ace_content'));
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
  },
};

const browser = await chromium.launch({ executablePath: chromiumPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
for (const [name, sentence] of tasks) {
  await makeOrders();
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(address);
  const hand = new Hand(page);
  await ways[name]?.({ page, hand });
  process.stdout.write(`${name}: ${ways[name] ? hand.clicks : 'not possible'} (${sentence})\n`);
  await page.close();
}
await browser.close();
