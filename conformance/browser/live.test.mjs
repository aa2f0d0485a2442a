// The rooms of requests and of charts, against what the server keeps.

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { control, skipWithout } from './control.mjs';
import { call, checkHarmless, closeBrowser, hostileTexts, makeTable, openPage, waitUntil } from './page.mjs';

after(closeBrowser);

const kFolder = mkdtempSync(join(tmpdir(), 'magneto-browser-'));
const kJournal = '/_/namespaces/main/journal';
const noJournal = await skipWithout(`${kJournal}?limit=1`);
const noStatistics = await skipWithout('/_/statistics');
const rowsOf = (page) => page.locator('.records tbody tr');
const recordCount = async (page) => Number(/^[\d,]+/.exec(await page.locator('.live .toolbar [role=status]').innerText())?.[0].replaceAll(',', ''));

before(async () => {
  await makeTable('live-orders', { hash: ['id', 'S'] });
  if (noJournal) return;
  await control('PUT', kJournal, { on: true });
  await control('DELETE', kJournal);
});

async function fill(count, prefix = 'k') {
  for (let at = 0; at < count; ++at) await call('PutItem', { TableName: 'live-orders', Item: { id: { S: `${prefix}${at}` } } });
}

test('a journal that is off is switched on', { skip: noJournal }, async () => {
  await control('PUT', kJournal, { on: false });
  const page = await openPage('tables');
  const offer = page.getByRole('button', { name: 'Record requests' });
  // Records are long in coming from the second answer on; that the journal is on shows all the same.
  let letGo;
  let asked = 0;
  const held = new Promise((resolve) => { letGo = resolve; });
  await page.route((url) => url.pathname.endsWith('/journal'), async (route) => {
    if (route.request().method() === 'GET' && ++asked > 1) await held;
    await route.continue();
  });
  await page.goto(page.url().replace(/#.*/, '#/requests'));
  await offer.waitFor();
  await waitUntil(() => asked > 1, 'the journal is asked again');
  await offer.click();
  await page.getByText('Requests are recorded from now on.').waitFor();
  await offer.waitFor({ state: 'hidden' });
  await page.getByText('Requests show here as they are answered.').waitFor();
  letGo();
  await fill(1);
  await rowsOf(page).first().waitFor();
  await page.done();
});

test('requests show as they are answered, and filters choose among them', { skip: noJournal }, async () => {
  const page = await openPage('requests');
  await page.getByText(/\d+ requests/).first().waitFor();
  await fill(30);
  await call('Scan', {
    TableName: 'live-orders', FilterExpression: 'id = :x', ExpressionAttributeValues: { ':x': { S: 'none' } },
  });
  await assert.rejects(call('GetItem', { TableName: 'live-orders', Key: { wrong: { S: 'a' } } }));
  await rowsOf(page).getByText('400 ValidationException').first().waitFor();
  await rowsOf(page).filter({ hasText: /Scan.*0 of \d\d/ }).first().click();
  await page.getByText(/items were read to return 0/).waitFor();
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('Scan');
  await page.waitForFunction(() => [...document.querySelectorAll('.records tbody button')].every((each) => each.textContent === 'Scan'));
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('');
  await page.getByRole('combobox', { name: 'Result' }).selectOption('Error or no answer');
  await rowsOf(page).getByText('400 ValidationException').first().waitFor();
  await page.getByRole('searchbox', { name: 'Search requests' }).fill('no such words');
  await page.getByText(/None of the .* matches/).waitFor();
  await page.done();
});

test('rows lie still while the pointer is down on one, so that it is the one that is chosen', { skip: noJournal }, async () => {
  const page = await openPage('requests');
  await call('ListTables', { Limit: 1 });
  const row = rowsOf(page).filter({ hasText: 'ListTables' });
  await row.waitFor();
  const before = await rowsOf(page).count();
  await row.hover();
  await page.mouse.down();
  await fill(3, 'moving');
  const { body: { records } } = await control('GET', kJournal);
  await waitUntil(async () => await recordCount(page) >= records.length, 'the page has read the records');
  await setTimeout(500);  // more than the page lets pass between two updates
  assert.equal(await rowsOf(page).count(), before);
  await page.mouse.up();
  await page.getByRole('region', { name: 'The chosen request' }).getByRole('heading', { name: 'ListTables' }).waitFor();
  await page.waitForFunction((count) => document.querySelectorAll('.records tbody tr').length >= count, before + 3);
  await page.done();
});

test('the journal pauses, is exported and asserted on', { skip: noJournal }, async () => {
  const page = await openPage('requests');
  await fill(1);
  await rowsOf(page).first().waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  const before = await rowsOf(page).count();
  await fill(3, 'paused');
  const { body: { records } } = await control('GET', kJournal);
  await waitUntil(async () => await recordCount(page) >= records.length, 'the page has read the records');
  assert.equal(await rowsOf(page).count(), before);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('.records tbody tr').length >= count, before + 3);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()]);
  const path = join(kFolder, 'journal.jsonl');
  await download.saveAs(path);
  const lines = (await readFile(path, 'utf8')).trim().split('\n').map((line) => JSON.parse(line));
  assert.ok(lines.some(({ operation, table }) => operation === 'PutItem' && table === 'live-orders'));
  await call('Scan', { TableName: 'live-orders' });
  await page.getByRole('button', { name: 'Assertions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assertions' });
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('1 assertion failed.').waitFor();
  await dialog.getByRole('status').getByRole('listitem').filter({ hasText: 'live-orders' }).first().waitFor();
  await dialog.getByLabel('No errors').check();
  await assert.rejects(call('GetItem', { TableName: 'live-orders', Key: { wrong: { S: 'a' } } }));
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('2 assertions failed.').waitFor();
  await dialog.getByLabel('On requests after number').fill(String((await control('GET', kJournal)).body.records.at(-1).number));
  await dialog.getByRole('button', { name: 'Check' }).click();
  await dialog.getByText('All assertions passed.').waitFor();
  await page.done();
});

test('what requests name is text', { skip: noJournal }, async () => {
  await control('PUT', kJournal, { bodies: true });
  for (const text of hostileTexts) {
    await call('PutItem', { TableName: 'live-orders', Item: { id: { S: text }, ...Object.fromEntries([[text, { S: text }]]) } });
  }
  const page = await openPage('requests');
  await rowsOf(page).nth(hostileTexts.length - 1).waitFor();
  for (let at = 0; at < hostileTexts.length; ++at) await rowsOf(page).nth(at).click();
  await page.getByRole('heading', { name: 'Request' }).waitFor();
  await checkHarmless(page);
  await control('PUT', kJournal, { bodies: false });
  await page.done();
});

test('a server that was started anew is read from its first record', { skip: noJournal }, async () => {
  await control('PUT', kJournal, { on: true });
  const page = await openPage('requests');
  await fill(2);
  await rowsOf(page).nth(1).waitFor();
  let restarted = false;
  const restart = async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname === '/_/status') return route.fulfill({ json: { started: '2030-01-01T00:00:00.000Z', control: true, features: [] } });
    if (!restarted) return route.abort();
    if (searchParams.get('after') !== '0') return route.fulfill({ json: { records: [], next: 0, dropped: 0 } });
    const record = {
      number: 1, at: '2030-01-01T00:00:01.000Z', namespace: 'main', operation: 'AfterRestart', table: null, index: null, caller: {}, status: 200,
      error: null, milliseconds: 1, request_bytes: 1, response_bytes: 1, request_id: 'r',
    };
    return route.fulfill({ json: { records: [record], next: 1, dropped: 0 } });
  };
  await page.route(/\/_\/(status|namespaces\/main\/journal)/, restart);
  await fill(1);  // ends the long poll that is under way
  await page.getByText('Trying again').waitFor();
  restarted = true;
  await page.getByRole('button', { name: 'AfterRestart' }).waitFor();
  assert.equal(await rowsOf(page).count(), 1);
  await page.done();
});

test('charts draw, and have tables of the same numbers', { skip: noStatistics }, async () => {
  const page = await openPage('charts');
  for (let round = 0; round < 3; ++round) {
    await fill(20, `chart${round}-`);
    await page.waitForResponse((response) => response.url().endsWith('/_/statistics'));
  }
  const chart = page.getByRole('region', { name: 'Requests per second' });
  await chart.locator('.chart path.line-0[d*="L"]').waitFor({ state: 'attached' });
  await chart.getByText('Requests per second as a table').click();
  await waitUntil(async () => (await chart.getByRole('table').getByRole('cell').allInnerTexts()).some((text) => Number(text) > 0), 'a rate');
  const operations = page.getByRole('region', { name: 'Operations since the start' });
  await operations.getByRole('cell', { name: 'PutItem' }).waitFor();
  await page.getByRole('combobox', { name: 'Time range' }).selectOption('30 minutes');
  await chart.locator('.chart path.line-0[d*="L"]').waitFor({ state: 'attached' });
  await page.done();
});
