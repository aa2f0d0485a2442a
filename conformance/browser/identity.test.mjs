// What says which product and which server this is, and in which words.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { control } from './control.mjs';
import { closeBrowser, endpoint, makeTable, openPage } from './page.mjs';

before(() => makeTable('identity', { hash: ['id', 'S'] }));
after(closeBrowser);

test('the wordmark has version, address and docs', async () => {
  const { body: { version } } = await control('GET', '/_/status');
  const page = await openPage('tables');
  const side = page.getByRole('complementary', { name: 'Tables and pages' });
  await side.getByText(version, { exact: true }).waitFor();
  await side.getByText(new URL(endpoint).host, { exact: true }).waitFor();
  await side.getByRole('button', { name: 'Copy the endpoint' }).click();
  await page.getByText('Copied.').waitFor();
  await side.getByRole('link', { name: 'Docs' }).click();
  await page.getByRole('heading', { name: 'Connect and docs' }).waitFor();
  await page.getByRole('region', { name: 'This server' }).getByText(version, { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Connect your code' }).locator('.endpoint').getByText(endpoint.replace(/\/$/, ''), { exact: true }).waitFor();
  for (const path of ['/_/health', '/_/ready', '/metrics']) {
    await page.getByRole('link', { name: path }).waitFor();
    assert.equal((await fetch(new URL(path, endpoint))).status, 200, path);
  }
  await page.done();
});

test('the choice of the namespace has a label that is seen', async () => {
  const page = await openPage('tables');
  await page.locator('label', { hasText: /^Namespace$/ }).waitFor();
  await page.getByLabel('Namespace').and(page.locator('select')).waitFor();
  await page.done();
});

test('links have icons, numbers stand below each other, and the tab has the mark', async () => {
  const page = await openPage('tables');
  const rooms = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await rooms.first().waitFor();
  assert.deepEqual(await rooms.allInnerTexts(), ['Tables', 'PartiQL', 'Requests', 'Costs', 'Charts', 'Test controls', 'Namespaces']);
  const drawn = await rooms.evaluateAll((links) => links.map((link) => link.querySelectorAll('svg.icon[aria-hidden=true] path').length));
  assert.deepEqual(drawn, [1, 1, 1, 1, 1, 1, 1]);
  assert.match(await page.evaluate(() => getComputedStyle(document.querySelector('main')).fontVariantNumeric), /tabular-nums/);
  const icon = await page.locator('link[rel=icon]').getAttribute('href');
  assert.match(await (await fetch(new URL(icon, endpoint))).text(), /^<svg /);
  await page.done();
});

test('flags of the command line are never broken', async () => {
  for (const width of [1440, 420]) {
    const page = await openPage('tables', { viewport: { width, height: 800 } });
    await page.getByRole('button', { name: 'Connection' }).click();
    const flag = page.getByRole('dialog').getByText('--isolate', { exact: true });
    await flag.waitFor();
    assert.equal(await flag.evaluate((node) => node.getClientRects().length), 1);
    assert.equal(await flag.evaluate((node) => getComputedStyle(node).whiteSpace), 'nowrap');
    await page.done();
  }
});

test('addresses of former versions lead to the rooms', async () => {
  const page = await openPage('journal');
  await page.getByRole('heading', { name: 'Requests' }).waitFor();
  await page.goto(page.url().replace(/#.*/, '#/dials'));
  await page.getByRole('heading', { name: 'Test controls of main' }).waitFor();
  await page.done();
});

// Words that the page had for what others have a word for.
const kFormer = /\b(D[i]als?|Journal|looked at|Began as|Given back|Given of|half within|99 % within|without this d[i]al|Settle|Of this page, too|What to do|Made|Count anew|Forget them|to go on|With commas between)\b/i;

test('rooms and their dialogs have the words of the field', async () => {
  const page = await openPage('no/place');
  const check = async (what) => {
    // Names of tables of other tests are no words of the page.
    const text = await page.evaluate(() => document.body.innerText);
    const found = kFormer.exec(text.replace(/[\w.]*-[\w.-]*/g, ''));
    assert.equal(found, null, `${what}: ${found?.[0]}`);
  };
  const places = { tables: 'Refresh', create: 'Create the table', 'tables/identity': 'Edit settings', 'tables/identity/insights': 'Reset counts', requests: 'Assertions', costs: 'Copy as Markdown', charts: 'Operations since the server started', controls: 'Freeze', namespaces: 'New namespace', help: 'Documentation', partiql: 'Run' };
  for (const [place, sign] of Object.entries(places)) {
    await page.goto(page.url().replace(/#.*/, `#/${place}`));
    await page.locator('main').getByText(sign).first().waitFor();
    await check(place);
  }
  for (const [place, button] of [['tables/identity', 'Edit settings'], ['controls', 'Add a rule'], ['namespaces', 'New namespace'], ['namespaces', 'Take a snapshot'], ['requests', 'Settings'], ['requests', 'Assertions'], ['requests', 'Clear']]) {
    await page.goto(page.url().replace(/#.*/, `#/${place}`));
    await page.locator('main').getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await check(`${button} of ${place}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.done();
});
