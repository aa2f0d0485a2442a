// The frame on narrow screens: the left side is a drawer, and nothing is there twice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findBarriers, kForAxe } from './axe.mjs';
import { closeBrowser, makeTable, openPage } from './page.mjs';

const kNames = Array.from({ length: 6 }, (_, at) => `narrow-${at}`);
const kPhone = { viewport: { width: 420, height: 800 } };

before(async () => {
  for (const name of kNames) await makeTable(name, { hash: ['id', 'S'] });
});
after(closeBrowser);

const menu = (page) => page.getByRole('button', { name: 'Menu', exact: true });
const drawer = (page) => page.getByRole('complementary', { name: 'Tables and pages' });
const linksTo = (page, name) => page.getByRole('link', { name, exact: true });

test('the content comes first, and the list of tables is there once', async () => {
  const page = await openPage('tables', kPhone);
  await page.locator('main').getByRole('link', { name: kNames[0], exact: true }).waitFor();
  assert.equal(await linksTo(page, kNames[0]).count(), 1);
  assert.equal(await drawer(page).count(), 0);
  const { y } = await page.locator('main h1').boundingBox();
  assert.ok(y < 120, `the heading stands ${y} px below the top`);
  await menu(page).click();
  await drawer(page).getByRole('link', { name: kNames[0], exact: true }).waitFor();
  // What lies behind the drawer can be neither seen clearly nor reached.
  assert.equal(await page.locator('.content').evaluate((node) => node.inert), true);
  assert.equal(await page.locator('main h1').evaluate((heading) => {
    const { x, y } = heading.getBoundingClientRect();
    return document.elementFromPoint(x + 1, y + 1).closest('main') === null;
  }), true);
  await page.done();
});

test('the drawer is left by a link, its button, Escape and what lies beside it', async () => {
  const page = await openPage('tables', kPhone);
  const ways = [
    () => drawer(page).getByRole('button', { name: 'Close the menu' }).click(),
    () => page.keyboard.press('Escape'),
    () => page.locator('.veil').click({ position: { x: 410, y: 400 } }),
  ];
  for (const leave of ways) {
    await menu(page).click();
    await drawer(page).waitFor();
    await leave();
    await drawer(page).waitFor({ state: 'detached' });
    await menu(page).and(page.locator('[aria-expanded=false]:focus')).waitFor();
  }
  await menu(page).click();
  await drawer(page).getByRole('link', { name: kNames[1], exact: true }).click();
  await page.waitForURL(/narrow-1\/items/);
  await drawer(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New item' }).first().waitFor();
  await page.done();
});

test('keys open the drawer for the search, and a wide window has none', async () => {
  const page = await openPage('tables', kPhone);
  await page.locator('main h1').waitFor();
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search tables' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type(kNames[2]);
  await page.keyboard.press('Enter');
  await page.waitForURL(/narrow-2/);
  await menu(page).click();
  await drawer(page).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.waitForFunction(() => !document.querySelector('.content').inert);
  assert.equal(await menu(page).count(), 0);
  assert.ok(await drawer(page).isVisible());
  await page.done();
});

for (const colorScheme of ['light', 'dark']) {
  test(`the open drawer bars nobody, ${colorScheme}`, async () => {
    const page = await openPage('tables', { ...kForAxe, ...kPhone, colorScheme });
    await menu(page).click();
    await drawer(page).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.done();
  });
}

test('no room is wider than the window', async () => {
  const places = ['tables', 'create', 'template', `tables/${kNames[0]}`, `tables/${kNames[0]}/insights`, 'requests', 'costs', 'charts', 'controls', 'namespaces', 'help'];
  for (const width of [1440, 1024, 900, 420]) {
    const page = await openPage('no/place', { viewport: { width, height: 800 } });
    for (const place of places) {
      await page.goto(page.url().replace(/#.*/, `#/${place}`));
      await page.locator('main :is(h1, h2)').first().waitFor();
      const over = await page.evaluate(() => Math.max(...['html', 'main', '.top'].map((each) => {
        const node = document.querySelector(each);
        return node.scrollWidth - node.clientWidth;
      })));
      assert.ok(over <= 0, `${place} is ${over} px too wide at ${width}`);
    }
    await page.done();
  }
});
