// Queries that are saved under a name, in the rooms of items and of PartiQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findBarriers, kForAxe } from './axe.mjs';
import { fill, waitForRows } from './grid.mjs';
import { call, checkHarmless, closeBrowser, endpoint, hostileTexts, makeTable, openPage } from './page.mjs';

after(closeBrowser);

const kTable = 'saved-orders';

before(async () => {
  await makeTable(kTable, { hash: ['customer', 'S'], range: ['order', 'S'] });
  await fill(kTable, Array.from({ length: 30 }, (_, n) => ({ customer: { S: `c${n % 3}` }, order: { S: `o${n}` }, total: { N: String(n) } })));
});

const dialog = (page) => page.getByRole('dialog', { name: 'Saved queries' });
const openSaved = async (page) => {
  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await dialog(page).waitFor();
};
const nameOf = (page) => dialog(page).getByLabel('Name this query');
async function save(page, name) {
  await openSaved(page);
  await nameOf(page).fill(name);
  await page.keyboard.press('Enter');
  await dialog(page).getByText(`Saved as ${name}`).waitFor();
}
const filter = encodeURIComponent(JSON.stringify(['total', '>', 'N', '10']));

test('a query is saved with its filters, survives a reload, and runs from another room', async () => {
  const page = await openPage(`tables/${kTable}/items?pk=c1&filter=${filter}&order=descending`);
  await waitForRows(page, 6);
  await save(page, 'Large ones of c1');
  await dialog(page).getByText('Query: customer = c1, where total > 10, descending').first().waitFor();
  await page.reload();
  await waitForRows(page, 6);
  await page.goto(`${endpoint}/_/#/partiql`);
  await page.getByLabel('PartiQL statement').waitFor();
  await openSaved(page);
  await dialog(page).getByRole('button', { name: 'Run Large ones of c1' }).click();
  await waitForRows(page, 6);
  assert.match(page.url(), /pk=c1&filter=.*&order=descending$/);
  assert.equal(await page.locator('[data-field="partition0"] input').inputValue(), 'c1');
  await page.locator('.items-status').getByText('6 items of 10 read').waitFor();
  await page.done();
});

test('a query is renamed, replaced, deleted and put back', async () => {
  const page = await openPage(`tables/${kTable}/items?pk=c1`);
  await waitForRows(page, 10);
  await save(page, 'one');
  await page.keyboard.press('Escape');
  await save(page, 'two');
  await dialog(page).getByRole('button', { name: 'Rename two' }).click();
  const name = dialog(page).getByLabel('New name of two');
  await name.fill('ONE');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('A query with this name exists.').waitFor();
  await name.fill('three');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('button', { name: 'Run three' }).waitFor();
  // Escape leaves the field, not the dialog.
  await dialog(page).getByRole('button', { name: 'Rename three' }).click();
  await page.keyboard.press('Escape');
  await dialog(page).getByRole('button', { name: 'Rename three' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Delete one' }).click();
  await dialog(page).getByText('one is deleted.').waitFor();
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await dialog(page).getByRole('button', { name: 'Run one' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Delete three' }).click();
  await dialog(page).getByText('three is deleted.').waitFor();
  // Under a name that there is, the button says what it does.
  await nameOf(page).fill('one');
  await dialog(page).getByRole('button', { name: 'Replace' }).click();
  await page.reload();
  await waitForRows(page, 10);
  await openSaved(page);
  assert.deepEqual(await dialog(page).locator('.saved-name strong').allTextContents(), ['one']);
  await page.done();
});

test('a statement is saved with its parameters, and runs only where the reader asks for it', async () => {
  const page = await openPage(`partiql?statement=${encodeURIComponent(`SELECT * FROM "${kTable}" WHERE customer = ? AND total > ?`)}`);
  await page.getByLabel('Parameter 1', { exact: true }).fill('c1');
  await page.getByLabel('Parameter 2', { exact: true }).fill('10');
  await save(page, 'by statement');
  await page.goto(`${endpoint}/_/#/tables/${kTable}/items`);
  await waitForRows(page, 30);
  await openSaved(page);
  await dialog(page).getByRole('button', { name: 'Run by statement' }).click();
  await waitForRows(page, 6);
  assert.equal(await page.getByLabel('Parameter 2', { exact: true }).inputValue(), '10');
  assert.equal(await page.getByLabel('Type of parameter 2').inputValue(), 'N');
  // An address alone shows the statement and runs nothing.
  const [{ id }] = await page.evaluate(() => JSON.parse(localStorage.getItem('magneto-saved-queries')));
  const sent = [];
  page.on('request', (request) => sent.push(request.headers()['x-amz-target'] ?? ''));
  await page.goto(`${endpoint}/_/#/tables`);
  await page.locator('main h1, main h2').first().waitFor();
  await page.goto(`${endpoint}/_/#/partiql?saved=${id}`);
  await page.getByLabel('Parameter 1', { exact: true }).waitFor();
  assert.match(await page.getByLabel('PartiQL statement').inputValue(), /customer = \?/);
  assert.ok(!sent.some((target) => target.endsWith('ExecuteStatement')));
  await page.done();
});

test('what cannot be saved is told', async () => {
  const page = await openPage(`tables/${kTable}/items`);
  await waitForRows(page, 30);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await openSaved(page);
  await dialog(page).getByText('The query is not complete. Enter the name of an attribute.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove filter 1' }).click();
  await page.evaluate(() => localStorage.setItem('magneto-saved-queries', JSON.stringify(Array.from({ length: 100 }, (_, n) => (
    { id: String(n), name: `q${n}`, kind: 'items', table: 'saved-orders', text: `pk=c${n % 3}`, summary: `Query: customer = c${n % 3}`, parameters: [] })))));
  await openSaved(page);
  await nameOf(page).fill('one more');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('There are 100 saved queries, which is the limit. Delete one first.').waitFor();
  await dialog(page).getByLabel('Search saved queries').fill('q77');
  await page.waitForFunction(() => document.querySelectorAll('.saved-list li').length === 1);
  await dialog(page).getByRole('button', { name: 'Delete q77' }).click();
  await nameOf(page).fill('one more');
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Saved as one more. You have 100 saved queries.').waitFor();
  await page.done();
});

for (const colorScheme of ['light', 'dark']) {
  test(`the dialog has no barriers, and hostile texts are text in it, ${colorScheme}`, async () => {
    const page = await openPage(`tables/${kTable}/items`, { colorScheme, ...kForAxe });
    await waitForRows(page, 30);
    await page.evaluate((texts) => localStorage.setItem('magneto-saved-queries', JSON.stringify(texts.map((text, n) => (
      { id: n === 0 ? '"] *' : String(n), name: text, kind: n % 2 ? 'items' : 'partiql', table: n % 3 ? text : 'saved-orders', text, summary: text, parameters: [{ kind: text, text }] })))), hostileTexts);
    await openSaved(page);
    await checkHarmless(page);
    assert.deepEqual(await findBarriers(page), []);
    await dialog(page).getByRole('button', { name: /^Rename/ }).first().click();
    assert.deepEqual(await findBarriers(page), []);
    await page.done();
  });
}

test('the rooms of a query whose table is gone say so', async () => {
  await makeTable('saved-gone', { hash: ['id', 'S'] });
  const page = await openPage('tables/saved-gone/items');
  await page.getByText('There are no items').waitFor();
  await save(page, 'gone');
  await call('DeleteTable', { TableName: 'saved-gone' });
  await dialog(page).getByRole('button', { name: 'Run gone' }).click();
  await page.locator('main .error').waitFor();
  await page.done();
});
