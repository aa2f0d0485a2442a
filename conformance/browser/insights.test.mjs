// Contributor insights of a table: switched, counted, followed to the items, and honest about what is not known.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { control, skipWithout } from './control.mjs';
import { call, checkHarmless, closeBrowser, hostileTexts, makeTable, openPage, waitUntil } from './page.mjs';

after(closeBrowser);

const kInsights = '/_/namespaces/main/insights';
const skip = await skipWithout(kInsights);
const panel = (page, name) => page.getByRole('region', { name, exact: true });
const list = (page, place, name) => panel(page, place).getByRole('table', { name, exact: true });
const switchTo = (TableName, ContributorInsightsAction, more = {}) => call('UpdateContributorInsights', { TableName, ContributorInsightsAction, ...more });

async function makeOrders(name) {
  await makeTable(name, { hash: ['customer', 'S'], range: ['placed', 'N'] }, {
    AttributeDefinitions: [{ AttributeName: 'status', AttributeType: 'S' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'byStatus', KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' },
    }],
  });
}

async function put(TableName, customer, placed, times = 1) {
  const Item = { customer: { S: customer }, placed: { N: placed }, status: { S: 'NEW' }, note: { S: customer } };
  for (let at = 0; at < times; ++at) await call('PutItem', { TableName, Item });
}

// The report is as the test says.
async function withReport(page, change) {
  await page.route(`**${kInsights}*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change(await response.json()) });
  });
}

test('what is counted shows, and leads to the items', { skip }, async () => {
  await makeOrders('insights-orders');
  const page = await openPage('tables/insights-orders/insights');
  await panel(page, 'Table').getByText('The server does not count keys.').waitFor();
  await page.getByRole('button', { name: 'Enable: Table' }).click();
  await panel(page, 'Table').getByText('None yet.').first().waitFor();
  await panel(page, 'Table').getByText('the server throttles requests that exceed').waitFor();
  await panel(page, 'Index byStatus').getByText('not enabled').waitFor();
  await page.getByRole('button', { name: 'Enable for table and indexes' }).click();
  await panel(page, 'Index byStatus').getByText('enabled', { exact: true }).waitFor();
  await put('insights-orders', 'c-1', '1', 3);
  await put('insights-orders', 'c-1', '2');
  await list(page, 'Table', 'Most used partition keys').getByRole('row', { name: 'c-1 4' }).waitFor();
  await list(page, 'Table', 'Most used keys').getByRole('row', { name: 'c-1, 1 1 3' }).waitFor();
  await list(page, 'Index byStatus', 'Most used partition keys').getByRole('row', { name: 'NEW 2' }).waitFor();
  await list(page, 'Table', 'Most used keys').getByRole('link', { name: 'c-1, 2' }).click();
  await page.getByRole('grid').or(page.locator('.items-grid')).first().waitFor();
  await waitUntil(async () => await page.locator('.items-grid tbody tr').count() === 1, 'the item of the key');
  await page.goBack();
  await list(page, 'Index byStatus', 'Most used partition keys').getByRole('link', { name: 'NEW' }).click();
  await waitUntil(async () => await page.locator('.items-grid tbody tr').count() === 2, 'the items of the key of the index');
  await page.done();
});

test('who switches elsewhere is followed, with keys alone as well', { skip }, async () => {
  await makeOrders('insights-switched');
  const page = await openPage('tables/insights-switched/insights');
  await page.getByRole('button', { name: 'Enable: Table' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Disable: Table' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Throttled keys only: Table' }).press('Enter');
  await panel(page, 'Table').getByText('enabled, throttled keys only').waitFor();
  assert.equal(await panel(page, 'Table').getByText('Most used').count(), 0);
  const { ContributorInsightsMode: mode } = await call('DescribeContributorInsights', { TableName: 'insights-switched' });
  assert.equal(mode, 'THROTTLED_KEYS');
  await switchTo('insights-switched', 'ENABLE');
  await panel(page, 'Table').getByText('Most used keys').waitFor();
  await switchTo('insights-switched', 'DISABLE');
  await panel(page, 'Table').getByText('not enabled').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.waitForURL(/insights-switched\/items/);
  await page.locator('.items').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await panel(page, 'Index byStatus').waitFor();
  await page.done();
});

test('counts are reset only after a confirmation', { skip }, async () => {
  await makeOrders('insights-anew');
  await switchTo('insights-anew', 'ENABLE');
  await put('insights-anew', 'c-1', '1', 2);
  const page = await openPage('tables/insights-anew/insights');
  const row = list(page, 'Table', 'Most used partition keys').getByRole('row', { name: 'c-1' });
  await row.waitFor();
  await page.getByRole('button', { name: 'Reset counts' }).click();
  await page.getByRole('dialog').getByText('all tables and indexes in the namespace main').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row.waitFor();
  await page.getByRole('button', { name: 'Reset counts' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset counts' }).click();
  await row.waitFor({ state: 'detached' });
  assert.deepEqual((await control('GET', `${kInsights}?table=insights-anew`)).body.insights[0].accessed.keys, []);
  await page.done();
});

test('keys are text, whatever they hold', { skip }, async () => {
  await makeOrders('insights-hostile');
  const name = '<img src=x onerror="alert(1)">';
  await makeTable('insights-binary', { hash: [name, 'B'] });
  await switchTo('insights-hostile', 'ENABLE');
  await switchTo('insights-hostile', 'ENABLE', { IndexName: 'byStatus' });
  await switchTo('insights-binary', 'ENABLE');
  const long = 'x'.repeat(2048);
  const keys = [...hostileTexts, long];
  for (const text of keys) {
    await call('PutItem', { TableName: 'insights-hostile', Item: { customer: { S: text }, placed: { N: '1' }, status: { S: text } } });
  }
  await call('PutItem', { TableName: 'insights-binary', Item: { [name]: { B: Buffer.from([0, 255, 10, 62]).toString('base64') } } });
  const page = await openPage('tables/insights-hostile/insights');
  await page.getByRole('combobox', { name: 'Keys per list' }).selectOption('25 keys per list');
  const links = list(page, 'Table', 'Most used keys').getByRole('link');
  await waitUntil(async () => await links.count() === keys.length, 'all keys');
  await checkHarmless(page);
  assert.ok(await page.evaluate(() => document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth));
  for (const each of [/^x{100}/, /^%00%0d/, /U\+202E/, /^__proto__/, /U\+FEFF/]) {
    await links.filter({ hasText: each }).click();
    await waitUntil(async () => await page.locator('.items-grid tbody tr').count() === 1, `the item of ${each}`);
    await page.goBack();
    await links.first().waitFor();
    await page.getByRole('combobox', { name: 'Keys per list' }).selectOption('25 keys per list');
  }
  await page.goto(page.url().replace(/#.*/, '#/tables/insights-binary/insights'));
  await list(page, 'Table', 'Most used partition keys').getByRole('link', { name: '4 B' }).click();
  await waitUntil(async () => await page.locator('.items-grid tbody tr').count() === 1, 'the item of the binary key');
  await checkHarmless(page);
  await page.done();
});

test('a count that may be too high says so, as what was not counted does', { skip }, async () => {
  await makeOrders('insights-vague');
  await switchTo('insights-vague', 'ENABLE');
  const page = await openPage('tables/insights-vague/insights');
  await withReport(page, (report) => {
    const [part] = report.insights;
    const key = { customer: { S: 'c' }, placed: { N: '1' } };
    part.throttled.keys = [{ key, count: 1200, error: 200 }, { key: { ...key, placed: { N: '2' } }, count: 7, error: 0 }];
    return { ...report, insights: [part, { ...part, index: 'gone' }, { ...part, database: 'elsewhere' }], uncounted: 3, complete: false };
  });
  await list(page, 'Table', 'Most throttled keys').getByText('at least 1,000, at most 1,200').waitFor();
  await list(page, 'Table', 'Most throttled keys').getByRole('row', { name: 'c, 2 2 7' }).waitFor();
  await page.getByText('The server did not count 3 uses').waitFor();
  await page.getByText('The report covers only the first 100').waitFor();
  await page.done();
});

test('nothing is asked while the room is paused, hidden or left', { skip }, async () => {
  await makeOrders('insights-quiet');
  await switchTo('insights-quiet', 'ENABLE');
  const page = await openPage('tables');
  await page.clock.install();
  let asked = 0;
  page.on('request', (request) => { asked += request.url().includes('/insights?') ? 1 : 0; });
  const passes = async (what, seconds, wanted) => {
    const before = asked;
    for (let at = 0; at < seconds; ++at) await page.clock.runFor(1000);
    if (wanted) await waitUntil(() => asked > before, what);
    else assert.equal(asked, before, what);
  };
  await page.goto(page.url().replace(/#.*/, '#/tables/insights-quiet/insights'));
  await panel(page, 'Table').getByText('None yet.').first().waitFor();
  await passes('it asks while it is open', 4, true);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.waitForLoadState('networkidle');
  await passes('it asks nothing while it is paused', 10, false);
  await page.getByRole('button', { name: 'Pause' }).click();
  await passes('it asks again', 4, true);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
  await passes('it asks nothing while it is hidden', 10, false);
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: false, configurable: true }));
  await passes('it asks when it is seen', 4, true);
  await page.goto(page.url().replace(/#.*/, '#/tables'));
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  await passes('it asks nothing when it is left', 10, false);
  await page.done();
});

test('a server that goes away is told of, what was read stays, and focus does', { skip }, async () => {
  await makeOrders('insights-away');
  await switchTo('insights-away', 'ENABLE');
  await put('insights-away', 'c-1', '1');
  const page = await openPage('tables/insights-away/insights');
  const link = list(page, 'Table', 'Most used keys').getByRole('link', { name: 'c-1, 1' });
  await link.focus();
  await page.route('**/*', (route) => route.abort());
  await page.getByRole('status').getByText('Magneto does not respond').waitFor();
  await link.and(page.locator(':focus')).waitFor();
  await page.unroute('**/*');
  await put('insights-away', 'c-0', '1', 2);
  await list(page, 'Table', 'Most used keys').getByRole('row', { name: 'c-0, 1 1 2' }).waitFor();
  await link.and(page.locator(':focus')).waitFor();
  assert.equal(await page.getByRole('status').getByText('Magneto does not respond').count(), 0);
  await page.done();
});

test('without the token insights are switched all the same', { skip }, async () => {
  await makeOrders('insights-token');
  const page = await openPage('tables');
  await page.route(`**${kInsights}*`, (route) => route.fulfill({ status: 401, json: { error: 'Give the token.' } }));
  await page.goto(page.url().replace(/#.*/, '#/tables/insights-token/insights'));
  await page.getByText('The report of the most used keys needs the control token').waitFor();
  await page.getByRole('button', { name: 'Enable: Table' }).click();
  await panel(page, 'Table').getByText('The server counts keys.').waitFor();
  await page.getByRole('button', { name: 'Enter the token' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.goto(page.url().replace(/#.*/, '#/tables/insights-none/insights'));
  await page.locator('main .error').getByText('ResourceNotFoundException').waitFor();
  await page.done();
});
