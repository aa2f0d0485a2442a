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
  await page.getByText('The server now records requests.').waitFor();
  await offer.waitFor({ state: 'hidden' });
  await page.getByText('Requests appear here when the server has answered them.').waitFor();
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
  await page.getByText(/items and returned 0/).waitFor();
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('Scan');
  await page.waitForFunction(() => [...document.querySelectorAll('.records tbody button')].every((each) => each.textContent === 'Scan'));
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('');
  await page.getByRole('combobox', { name: 'Result' }).selectOption('Error or no response');
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
  await page.getByRole('region', { name: 'Selected request' }).getByRole('heading', { name: 'ListTables' }).waitFor();
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
  await dialog.getByLabel('Check requests after number').fill(String((await control('GET', kJournal)).body.records.at(-1).number));
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
  await page.getByRole('heading', { name: 'Request', exact: true }).waitFor();
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
    const after = searchParams.get('after');
    if (after !== '0') return route.fulfill({ json: { records: [], next: after === '1' ? 1 : 0, dropped: 0 } });
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

// Whether all that is seen of a toolbar stands in one line.
const isOneLine = (toolbar) => toolbar.evaluate((node) => {
  const boxes = [...node.children].map((child) => child.getBoundingClientRect()).filter(({ height }) => height > 0);
  return boxes.every(({ top, bottom }) => top < boxes[0].bottom && bottom > boxes[0].top);
});

test('the toolbars of requests and of a stream are two lines, each of its own kind', { skip: noJournal }, async () => {
  await makeTable('live-streamed', { hash: ['id', 'S'] }, { StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } });
  for (const width of [1440, 1024, 900]) {
    const page = await openPage('requests', { viewport: { width, height: 900 } });
    await page.getByText(/\d+ requests?/).first().waitFor();
    for (const toolbar of await page.locator('.live .toolbar').all()) assert.ok(await isOneLine(toolbar), `requests at ${width}`);
    assert.equal(await page.locator('.live .toolbar').count(), 2);
    await page.goto(page.url().replace(/#.*/, '#/tables/live-streamed/stream'));
    await page.getByText(/Reading \d+ shards?/).waitFor();
    if (width >= 1024) for (const toolbar of await page.locator('.live > :first-child .toolbar').all()) assert.ok(await isOneLine(toolbar), `stream at ${width}`);
    await page.done();
  }
});

test('requests that read nothing have a dash for what they returned, and are cleared', { skip: noJournal }, async () => {
  await control('PUT', kJournal, { on: true });
  await control('DELETE', kJournal);
  const page = await openPage('requests');
  await fill(1, 'dash');
  await call('GetItem', { TableName: 'live-orders', Key: { id: { S: 'dash0' } } });
  const returned = (operation) => rowsOf(page).filter({ hasText: operation }).first().locator('td').nth(5);
  await returned('PutItem').waitFor();
  await returned('GetItem').waitFor();
  assert.equal(await returned('PutItem').innerText(), '–');
  assert.equal(await returned('GetItem').innerText(), '1');
  await page.locator('main').getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await rowsOf(page).first().waitFor({ state: 'detached' });
  assert.deepEqual((await control('GET', kJournal)).body.records, []);
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
  const operations = page.getByRole('region', { name: 'Operations since the server started' });
  await operations.getByRole('cell', { name: 'PutItem' }).waitFor();
  await page.getByRole('combobox', { name: 'Time range' }).selectOption('30 minutes');
  await chart.locator('.chart path.line-0[d*="L"]').waitFor({ state: 'attached' });
  await page.done();
});

test('what the server counted before the page was opened stands beside the charts', { skip: noStatistics }, async () => {
  await fill(5, 'before');
  const { body } = await control('GET', '/_/statistics');
  const counted = Object.values(body.operations).reduce((sum, { calls }) => sum + calls, 0);
  const page = await openPage('charts');
  const totals = page.getByRole('region', { name: 'Since the server started', exact: true });
  const figure = async (name) => Number((await totals.locator(`dt:text-is("${name}") + dd`).innerText()).replaceAll(',', ''));
  await totals.waitFor();
  assert.ok(await figure('Requests') >= counted);
  const chart = page.getByRole('region', { name: 'Requests per second' });
  await chart.locator('.legend').getByRole('row', { name: /^All/ }).getByText(/^[\d,]+$/).first().waitFor();
  for (const name of ['p50', 'p99']) await totals.locator(`dt:text-is("${name}") + dd`).getByText(/ms|sec/).waitFor();
  await page.done();
});

test('charts are drawn as large as they are shown, and quiet ones not at all', { skip: noStatistics }, async () => {
  for (const width of [1440, 1024, 420]) {
    const page = await openPage('charts', { viewport: { width, height: 900 } });
    await page.waitForFunction(() => {
      const charts = [...document.querySelectorAll('.chart')].filter((each) => each.clientWidth > 0);
      return charts.length > 0 && charts.every((each) => Math.abs(each.viewBox.baseVal.width - each.clientWidth) < 1);
    });
    // In one step: charts are drawn again meanwhile, and a mark that is not shown any more has no size.
    const sizes = await page.evaluate(() => [...document.querySelectorAll('.chart .mark')].map(
      (mark) => parseFloat(getComputedStyle(mark).fontSize) * mark.getScreenCTM().a));
    assert.ok(sizes.length > 0 && sizes.every((size) => size >= 11), `${sizes} at ${width}`);
    await page.done();
  }
  const page = await openPage('tables');
  let throttled = 0;
  let isThrottling = false;
  await page.route('**/_/statistics', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    if (isThrottling) throttled += 50;
    await route.fulfill({ response, json: { ...answer, throttled: { reads: throttled, writes: 0 } } });
  });
  await page.goto(page.url().replace(/#.*/, '#/charts'));
  await page.getByText('Hidden charts, which are 0 in this time range: throttled per second, transaction conflicts per second.').waitFor();
  const chart = page.getByRole('region', { name: 'Throttled per second' });
  assert.equal(await chart.count(), 0);
  isThrottling = true;
  await chart.waitFor();
  await page.getByText('Hidden charts, which are 0 in this time range: transaction conflicts per second.').waitFor();
  await page.done();
});
