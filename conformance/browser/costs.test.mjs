// The room of costs: recorded requests by access pattern, with the price of a month.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { findBarriers, kForAxe } from './axe.mjs';
import { control, skipWithout } from './control.mjs';
import { call, checkHarmless, closeBrowser, hostileTexts, makeTable, openPage, waitUntil } from './page.mjs';

after(closeBrowser);

const kJournal = '/_/namespaces/main/journal';
const kFolder = mkdtempSync(join(tmpdir(), 'magneto-costs-'));
const skip = await skipWithout(`${kJournal}?limit=0`);
const rowOf = (page, name) => page.locator('.costs tbody tr').filter({ hasText: name });

async function record(isOn) {
  await control('PUT', kJournal, { on: isOn });
  await control('DELETE', kJournal);
}

async function fill(table, attribute = 'id') {
  await makeTable(table, { hash: [attribute, 'S'] });
  await record(true);
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await call('PutItem', { TableName: table, Item: { [attribute]: { S: key } } });
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await call('GetItem', { TableName: table, Key: { [attribute]: { S: key } } });
  await call('Scan', { TableName: table });
}

test('recording is switched on, and the requests are shown by price', { skip }, async () => {
  await record(false);
  const page = await openPage('costs');
  await page.getByRole('button', { name: 'Record requests now' }).click();
  await page.getByText('The server now records requests.').waitFor();
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
  assert.equal((await control('GET', `${kJournal}?limit=0`)).body.on, true);
  await fill('costs-shown');
  await page.getByRole('button', { name: 'Refresh' }).click();
  // A write unit a second: 2.628 million at 0.625 dollars a million.
  await rowOf(page, 'PutItem costs-shown: id = ?').getByText('US$1.64').waitFor();
  await rowOf(page, 'GetItem costs-shown: id = ?').getByText('N+1 reads').waitFor();
  await rowOf(page, 'Scan costs-shown').getByText('Scan', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Marks' }).getByText('without a partition key (calls: 1, items read: 6)').waitFor();
  await page.getByRole('button', { name: 'Record requests', exact: true }).click();
  await page.getByText('The server no longer records requests.').waitFor();
  assert.equal((await control('GET', `${kJournal}?limit=0`)).body.on, false);
  await page.done();
});

test('rates change the prices, of all patterns and of one', { skip }, async () => {
  await fill('costs-rates');
  const page = await openPage('costs');
  const put = rowOf(page, 'PutItem costs-rates: id = ?');
  await put.waitFor();
  await page.getByLabel('Calls a second', { exact: true }).fill('10');
  await page.keyboard.press('Tab');
  await put.getByText('US$16.43').waitFor();
  const own = page.getByRole('spinbutton', { name: 'Calls a second: PutItem costs-rates: id = ?' });
  await own.fill('100');
  await own.press('Enter');
  await put.getByText('US$164.25').waitFor();
  await own.and(page.locator(':focus')).waitFor();
  await rowOf(page, 'GetItem costs-rates: id = ?').getByText('US$1.64').waitFor();
  await page.getByLabel('Prices').selectOption('Provisioned');
  // 100 / 0.7 units for 730 hours at 0.00065 dollars.
  await put.getByText('US$67.79').waitFor();
  await put.getByText('0 / 142.86').waitFor();
  await page.getByLabel('Region').selectOption('eu-west-1');
  await page.getByText('The price list has no price of provisioned capacity in eu-west-1').waitFor();
  await own.fill('');
  await own.press('Enter');
  assert.equal(await own.inputValue(), '100');
  await page.done();
});

test('the report is copied and saved as the server writes it', { skip }, async () => {
  await fill('costs-saved');
  const page = await openPage('costs', { permissions: ['clipboard-read', 'clipboard-write'] });
  await rowOf(page, 'PutItem costs-saved: id = ?').waitFor();
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /\n\| `PutItem costs-saved: id = \?` \| 1 \| 6 \|/);
  for (const [name, pattern] of [['CSV', /^pattern,operation,[^]*PutItem costs-saved: id = \?,PutItem,/], ['JSON', /"name":"PutItem costs-saved: id = \?"/]]) {
    const [download] = await Promise.all([
      page.waitForEvent('download'), page.getByRole('button', { name: `Download ${name}` }).click(),
    ]);
    const path = join(kFolder, download.suggestedFilename());
    await download.saveAs(path);
    assert.match(await readFile(path, 'utf8'), pattern);
  }
  await page.done();
});

test('names are text, whatever they hold, and no width is exceeded', { skip }, async (t) => {
  // The list of tables shows a hundred, and other tests look for theirs in it.
  t.after(() => Promise.all(hostileTexts.map((_, at) => call('DeleteTable', { TableName: `costs-hostile-${at}` }))));
  await record(true);
  for (const [at, name] of hostileTexts.entries()) {
    await makeTable(`costs-hostile-${at}`, { hash: [name, 'S'] });
    await call('PutItem', { TableName: `costs-hostile-${at}`, Item: { [name]: { S: 'a' } } });
  }
  const page = await openPage('costs', { viewport: { width: 1440, height: 900 } });
  await waitUntil(async () => await page.locator('.costs tbody tr').count() === hostileTexts.length + 1, 'all patterns');
  await checkHarmless(page);
  for (const width of [1440, 1024, 420]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate(() => Math.max(...['html', 'main'].map((each) => {
      const node = document.querySelector(each);
      return node.scrollWidth - node.clientWidth;
    })));
    assert.ok(over <= 0, `${over} px too wide at ${width}`);
  }
  await page.done();
});

test('keys lead to the room, and an error is shown', { skip }, async () => {
  await fill('costs-keys');
  const page = await openPage('tables');
  await page.locator('main h1').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await rowOf(page, 'PutItem costs-keys: id = ?').waitFor();
  await page.route('**/journal/report', (route) => route.fulfill({ status: 400, json: { error: 'No such thing.' } }));
  await page.locator('main h1').click();
  await page.keyboard.press('r');
  await page.getByRole('status').getByText('No such thing.').waitFor();
  await rowOf(page, 'PutItem costs-keys: id = ?').waitFor();
  await page.done();
});

test('without the token the room says so', { skip }, async () => {
  const page = await openPage('tables');
  await page.route(`**${kJournal}*`, (route) => route.fulfill({ status: 401, json: { error: 'Give the token.' } }));
  await page.goto(page.url().replace(/#.*/, '#/costs'));
  await page.getByText('The request journal needs the control token').waitFor();
  await page.done();
});

for (const colorScheme of ['light', 'dark']) {
  test(`a report bars nobody, ${colorScheme}`, { skip }, async () => {
    await fill(`costs-${colorScheme}`);
    const page = await openPage('costs', { ...kForAxe, colorScheme });
    await rowOf(page, `PutItem costs-${colorScheme}: id = ?`).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await record(false);
    await page.done();
  });
}
