// Sorting the items that are loaded by a column.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { findBarriers, kForAxe } from './axe.mjs';
import { column, fill, panel, rows, waitForRows } from './grid.mjs';
import { checkHarmless, closeBrowser, hostileTexts, makeTable, openPage } from './page.mjs';

after(closeBrowser);

const kTotals = ['10', '9', '-1', '100', '9', undefined, '2.5'];

async function makeItems(table, count = kTotals.length) {
  await makeTable(table, { hash: ['id', 'S'], range: ['at', 'N'] });
  await fill(table, Array.from({ length: count }, (_, n) => ({
    id: { S: 'a' }, at: { N: String(n) }, name: { S: `n${n % 3}` }, ...(kTotals[n % 7] && { total: { N: kTotals[n % 7] } }) })));
}

const head = (page, name) => page.getByRole('columnheader', { name });
const sortBy = (page, name) => page.getByRole('button', { name, exact: true }).click();
const note = (page) => page.locator('.sort-note');

test('a column is sorted by value, up, down and back, and the page says of which items', async () => {
  await makeItems('sort-numbers');
  const page = await openPage('tables/sort-numbers/items?pk=a');
  await waitForRows(page, 7);
  assert.equal(await head(page, 'total').getAttribute('aria-sort'), 'none');
  assert.ok(!await note(page).isVisible());
  await sortBy(page, 'total');
  assert.deepEqual(await column(page, 'total'), ['-1', '2.5', '9', '9', '10', '100', '']);
  // Equal ones as they came.
  assert.deepEqual(await column(page, 'at'), ['2', '6', '1', '4', '0', '3', '5']);
  assert.equal(await head(page, 'total').getAttribute('aria-sort'), 'ascending');
  assert.match(await note(page).textContent(), /^Sorted by total, ascending: all 7 items are loaded\./);
  await sortBy(page, 'total');
  assert.deepEqual(await column(page, 'at'), ['3', '0', '1', '4', '6', '2', '5']);
  assert.equal(await head(page, 'total').getAttribute('aria-sort'), 'descending');
  await sortBy(page, 'name');
  assert.deepEqual(await column(page, 'at'), ['0', '3', '6', '1', '4', '2', '5']);
  assert.equal(await head(page, 'total').getAttribute('aria-sort'), 'none');
  await note(page).getByRole('button', { name: 'Original order' }).click();
  assert.deepEqual(await column(page, 'at'), ['0', '1', '2', '3', '4', '5', '6']);
  assert.ok(!await note(page).isVisible());
  await page.done();
});

test('only the items of the page are sorted, and the next page too', async () => {
  await makeItems('sort-pages', 60);
  const page = await openPage('tables/sort-pages/items?pk=a');
  await waitForRows(page, 50);
  await sortBy(page, 'at');
  await sortBy(page, 'at');
  assert.match(await note(page).textContent(), /only the 50 items on this page, not the whole table/);
  assert.deepEqual((await column(page, 'at')).slice(0, 2), ['49', '48']);
  await waitForRows(page, 50);
  await page.getByRole('button', { name: 'Next' }).click();
  await waitForRows(page, 10);
  assert.deepEqual((await column(page, 'at')).slice(0, 2), ['59', '58']);
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, 50);
  assert.deepEqual((await column(page, 'at')).slice(0, 2), ['49', '48']);
  await page.done();
});

test('what is selected and what is open stay so', async () => {
  await makeItems('sort-selected');
  const page = await openPage('tables/sort-selected/items?pk=a');
  await waitForRows(page, 7);
  await rows(page).nth(3).locator('.pick input').click();
  await rows(page).nth(1).locator('td[data-name="at"]').click();
  await panel(page).getByText('a · 1').waitFor();
  await sortBy(page, 'total');
  const selected = rows(page).locator('xpath=self::*[@aria-selected="true"]');
  const open = rows(page).locator('xpath=self::*[@aria-current="true"]');
  assert.equal(await selected.locator('td[data-name="at"]').textContent(), '3');
  assert.equal(await open.locator('td[data-name="at"]').textContent(), '1');
  await page.getByRole('button', { name: 'Delete 1 item' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 item' }).click();
  await waitForRows(page, 6);
  assert.ok(!(await column(page, 'at')).includes('3'));
  await page.done();
});

test('keys alone sort, and the head is a part of the grid', async () => {
  await makeItems('sort-keys');
  const page = await openPage('tables/sort-keys/items?pk=a');
  await waitForRows(page, 7);
  await page.locator('main').focus();
  for (const key of ['j', 'End', 'ArrowUp']) await page.keyboard.press(key);
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  assert.equal(await focused(), 'total');
  await page.keyboard.press('Enter');
  assert.equal(await head(page, 'total').getAttribute('aria-sort'), 'ascending');
  assert.equal(await focused(), 'total');
  await page.keyboard.press('Space');
  assert.equal(await head(page, 'total').getAttribute('aria-sort'), 'descending');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), '100');
  await page.keyboard.press('s');
  assert.equal(await head(page, 'total').getAttribute('aria-sort'), 'none');
  assert.ok(await page.evaluate(() => document.activeElement.closest('.items-grid td') !== null));
  await page.done();
});

for (const colorScheme of ['light', 'dark']) {
  test(`a sorted grid has no barriers, ${colorScheme}`, async () => {
    await makeItems('sort-barriers');
    const page = await openPage('tables/sort-barriers/items?pk=a', { colorScheme, ...kForAxe });
    await waitForRows(page, 7);
    await sortBy(page, 'total');
    assert.deepEqual(await findBarriers(page), []);
    await page.done();
  });
}

test('the answer of a statement is sorted too', async () => {
  await makeItems('sort-partiql');
  const page = await openPage(`partiql?statement=${encodeURIComponent('SELECT "at", total FROM "sort-partiql" WHERE id = \'a\'')}`);
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, 7);
  await sortBy(page, 'total');
  assert.deepEqual(await column(page, 'total'), ['-1', '2.5', '9', '9', '10', '100', '']);
  assert.match(await note(page).textContent(), /all 7 items are loaded/);
  await page.done();
});

test('hostile names and values are sorted as text', async () => {
  await makeTable('sort-hostile', { hash: ['id', 'S'] });
  await fill('sort-hostile', hostileTexts.map((text, n) => ({ id: { S: `${n}` }, ['<img src=x onerror=alert(1)>']: { S: text } })));
  const page = await openPage('tables/sort-hostile/items');
  await waitForRows(page, hostileTexts.length);
  await sortBy(page, '<img src=x onerror=alert(1)>');
  await note(page).getByText('Sorted by <img').waitFor();
  await checkHarmless(page);
  await page.done();
});
