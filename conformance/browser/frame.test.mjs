// The page itself: how it is served, opened, searched and used with keys alone.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { call, closeBrowser, endpoint, makeTable, openPage } from './page.mjs';

after(closeBrowser);

test('the page opens, lists tables and finds them', async () => {
  await makeTable('frame-orders', { hash: ['id', 'S'] });
  await makeTable('frame-users', { hash: ['id', 'S'] });
  const page = await openPage();
  const links = page.getByRole('navigation', { name: 'Tables' }).getByRole('link');
  await links.getByText('frame-orders').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('USERS frame');
  await page.waitForFunction(() => document.querySelectorAll('.table-list a').length === 1);
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/tables\/frame-users/);
  await page.waitForFunction(() => /frame-users · Magneto/.test(document.title));
  await page.done();
});

test('keys alone lead everywhere, and are listed', async () => {
  const page = await openPage('create');
  await page.getByRole('link', { name: 'New table' }).or(page.getByRole('button', { name: 'New table' })).waitFor();
  await page.locator('main').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  assert.match(page.url(), /#\/tables$/);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Search tables').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.done();
});

test('an address that leads nowhere says so', async () => {
  const page = await openPage('no/such/place/at/all');
  await page.getByText('Page not found').waitFor();
  await page.done();
});

test('light and dark follow the system until the reader chooses', async () => {
  const page = await openPage('', { colorScheme: 'dark' });
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await back();
  await page.getByRole('button', { name: 'Switch theme' }).click();
  assert.notEqual(await back(), dark);
  await page.reload();
  assert.notEqual(await back(), dark);
  await page.getByRole('button', { name: 'Switch theme' }).click();
  assert.equal(await back(), dark);
  await page.done();
});

test('a name that a header cannot have is no way out of the address', async () => {
  const page = await openPage(`tables/${encodeURIComponent('"><img src=x onerror=alert(1)>')}`);
  await page.locator('main .error, main .empty').first().waitFor();
  await page.done();
});

test('files and page have the headers that keep others out', async () => {
  const page = await fetch(`${endpoint}/_/`);
  assert.equal(page.headers.get('Cache-Control'), 'no-store');
  for (const response of [page, await fetch(`${endpoint}/_/assets/app.js`)]) {
    assert.match(response.headers.get('Content-Security-Policy'), /^default-src 'none'; script-src 'self';/);
    assert.equal(response.headers.get('X-Content-Type-Options'), 'nosniff');
  }
});

// The control interface answers as the test says.
async function withControl(page, answers) {
  const asked = [];
  await page.route(/\/_\/(?!assets)[a-z]/, async (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname;
    asked.push({ path, token: request.headers().authorization });
    const body = answers[path];
    await route.fulfill(body ? { json: body } : { status: 404, json: { error: 'There is no such control.' } });
  });
  return asked;
}

const kStatus = {
  version: '1', auth: 'off', control: true, ui: true, features: ['namespaces'],
};
const kNamespaces = { namespaces: [{ name: 'main' }, { name: 'test-<b>1</b>' }] };

test('a token in the address is used and taken out of it', async () => {
  const page = await openPage();
  await page.goto('about:blank');  // or it would still ask with the token that it came with
  const asked = await withControl(page, { '/_/status': kStatus, '/_/namespaces': kNamespaces });
  await page.goto(`${endpoint}/_/#token=s%20ecret`);
  await page.getByLabel('Namespace').waitFor();
  await page.reload();
  await page.getByLabel('Namespace').waitFor();
  assert.deepEqual([...new Set(asked.map((each) => each.token))], ['Bearer s ecret']);
  assert.equal(new URL(page.url()).hash, '');
  await page.done();
});

test('the namespace that is chosen is asked, until another is', async () => {
  const page = await openPage();
  await withControl(page, { '/_/status': kStatus, '/_/namespaces': kNamespaces });
  const sent = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['x-magneto-namespace']);
  });
  await page.reload();
  await page.getByLabel('Namespace').selectOption('test-<b>1</b>');
  await page.waitForFunction(() => document.querySelector('.crumbs')?.textContent.includes('test-<b>1</b>'));
  await page.locator('main > *').first().waitFor();
  assert.equal(sent.at(-1), 'test-<b>1</b>');
  await page.reload();
  await page.locator('main > *').first().waitFor();
  assert.equal(sent.at(-1), 'test-<b>1</b>');
  await page.getByLabel('Namespace').selectOption('main');
  await page.locator('main h1').waitFor();
  assert.equal(sent.at(-1), undefined);
  await page.done();
});

test('a server that is gone is told of, and found again', async () => {
  const page = await openPage('tables');
  await page.locator('main h1').waitFor();
  await page.route('**/*', (route) => route.abort());
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.locator('main .error').getByText('Magneto does not respond').waitFor();
  await page.unroute('**/*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  await page.done();
});

test('a room that a server did not answer is opened once more', async () => {
  await makeTable('frame-gone', { hash: ['id', 'S'] });
  const page = await openPage('create');
  await page.getByLabel('Table name').waitFor();
  await page.route(/^[^#]*\/_\/(?!assets)[a-z]/, (route) => route.abort());
  await page.route((url) => url.pathname === '/', (route) => route.abort());
  const shown = { namespaces: 'Take a snapshot', requests: 'Settings', charts: 'Operations since the server started', 'tables/frame-gone/items': 'New item' };
  for (const [place, sign] of Object.entries(shown)) {
    await page.goto(page.url().replace(/#.*/, `#/${place}`));
    await page.locator('main').getByText('Magneto does not respond').waitFor();
    await page.unrouteAll();
    await page.locator('main').getByRole('button', { name: 'Try again' }).click();
    await page.locator('main').getByText(sign).first().waitFor();
    await page.route(/^[^#]*\/_\/(?!assets)[a-z]/, (route) => route.abort());
    await page.route((url) => url.pathname === '/', (route) => route.abort());
  }
  await page.done();
});

test('long names leave room for the rest', async () => {
  const name = `frame.${'n'.repeat(249)}`;
  const IndexName = 'i'.repeat(255);
  await makeTable(name, { hash: ['k'.repeat(255), 'S'] }, {
    AttributeDefinitions: [{ AttributeName: 's'.repeat(255), AttributeType: 'S' }],
    GlobalSecondaryIndexes: [{ IndexName, KeySchema: [{ AttributeName: 's'.repeat(255), KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' } }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  for (const index of [{}, { IndexName }]) await call('UpdateContributorInsights', { TableName: name, ContributorInsightsAction: 'ENABLE', ...index });
  await call('PutItem', { TableName: name, Item: { ['k'.repeat(255)]: { S: 'v'.repeat(2000) }, ['s'.repeat(255)]: { S: 'w'.repeat(1000) } } });
  const places = {
    tables: 'Refresh', [`create?from=${name}`]: 'Create the table', [`tables/${name}`]: 'Duplicate', [`tables/${name}/items`]: 'New item',
    [`tables/${name}/stream`]: 'From the oldest', [`tables/${name}/insights`]: 'vvv', requests: 'Settings', controls: 'Apply', help: 'Documentation',
  };
  for (const width of [1280, 380]) {
    const page = await openPage('', { viewport: { width, height: 800 } });
    for (const [place, sign] of Object.entries(places)) {
      await page.goto(page.url().replace(/(#.*)?$/, `#/${place}`));
      await page.locator('main').getByText(sign).first().waitFor({ state: 'attached' });
      const [inside, outside] = await page.evaluate(() => ['main', '.crumbs li:last-child'].map((each) => {
        const node = document.querySelector(each);
        return each === 'main' ? node.scrollWidth - node.clientWidth : node.getBoundingClientRect().right - node.closest('nav').getBoundingClientRect().right;
      }));
      assert.ok(inside <= 0 && outside < 1, `${place.slice(0, 20)} at ${width}: ${inside}, ${outside}`);
    }
    await page.done();
  }
  await call('DeleteTable', { TableName: name });
});

test('the first modules are asked for at once, and none twice', async () => {
  const page = await openPage();
  await page.locator('main h1, main h2').first().waitFor();
  const { loaded, named } = await page.evaluate(() => ({
    loaded: performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)
      .filter((path) => path.endsWith('.js')).sort(),
    named: [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.getAttribute('href'))
      .concat('/_/assets/app.js').sort(),
  }));
  assert.deepEqual(loaded, named);
  await page.done();
});

test('all files together are small', async () => {
  const page = await openPage();
  await page.locator('main h1, main h2').first().waitFor();
  const bytes = await page.evaluate(() => performance.getEntriesByType('resource')
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0));
  assert.ok(bytes > 1000 && bytes < 120_000, `the first room takes ${bytes} bytes`);
  await page.done();
});

test('a namespace that is gone is left', async () => {
  const page = await openPage();
  await withControl(page, { '/_/status': kStatus, '/_/namespaces': { namespaces: [{ name: 'main' }] } });
  await page.evaluate(() => sessionStorage.setItem('magneto-namespace', 'gone'));
  await page.reload();
  await page.getByText('The namespace gone no longer exists.').waitFor();
  await page.waitForFunction(() => document.querySelector('.crumbs')?.textContent.startsWith('main'));
  await page.done();
});

// Time of the processor, which does not depend on what else the machine does.
test('the page opens with little work', async () => {
  const page = await openPage('no/place');
  const tools = await page.context().newCDPSession(page);
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`${endpoint}/_/#/tables`);
  await page.reload();
  await page.locator('main h1, main h2').first().waitFor();
  const { metrics } = await tools.send('Performance.getMetrics');
  const milliseconds = 1000 * metrics.find((metric) => metric.name === 'TaskDuration').value;
  assert.ok(milliseconds < 200, `${milliseconds} ms of its thread`);
  await page.done();
});
