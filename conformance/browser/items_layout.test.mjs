// How the room of items is laid out: in windows of each width, with names and types of any length.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { fill, panel, rows, waitForRows } from './grid.mjs';
import { call, closeBrowser, makeTable, openPage } from './page.mjs';

after(closeBrowser);

const kTable = 'layout-orders';
const kLongName = `attribute_${'with_a_long_name_'.repeat(6)}end`;

before(async () => {
  await makeTable(kTable, { hash: ['x', 'N'], range: ['order', 'S'] });
  await fill(kTable, Array.from({ length: 40 }, (_, n) => ({
    x: { N: '1' }, order: { S: `o${String(n).padStart(2, '0')}` }, tags: { SS: ['a', 'b'] }, total: { N: `${n}` }, [kLongName]: { S: 'v' },
    note: { S: 'Please leave the parcel with the neighbours on the second floor if nobody answers the door before noon' },
  })));
});

const boxOf = (locator) => locator.evaluate((node) => {
  const { left, top, right, bottom, width, height } = node.getBoundingClientRect();
  return { left, top, right, bottom, width, height };
});
const openFirst = async (page) => {
  await waitForRows(page, 40);
  await rows(page).first().locator('td[data-name="order"]').click();
  await panel(page).getByText('o00').first().waitFor();
};

for (const [width, height] of [[1440, 900], [1024, 768], [900, 800], [800, 600]]) {
  test(`the list stays in sight beside an open item at ${width} by ${height}`, async () => {
    const page = await openPage(`tables/${kTable}/items`, { viewport: { width, height } });
    await openFirst(page);
    const grid = await boxOf(page.locator('.grid-scroll'));
    const item = await boxOf(panel(page));
    assert.ok(grid.height >= 160 && grid.width >= 160, `the list is ${grid.width} by ${grid.height}`);
    assert.ok(item.height >= 160 && item.width >= 260, `the item is ${item.width} by ${item.height}`);
    assert.ok(grid.right <= item.left || grid.bottom <= item.top, 'the item covers the list');
    // The list is used while the item is open.
    await rows(page).nth(2).locator('td[data-name="order"]').click();
    await panel(page).getByText('o02').first().waitFor();
    assert.equal(await rows(page).nth(2).getAttribute('aria-current'), 'true');
    await page.done();
  });
}

test('at 420 pixels the item covers the page, and the list comes back as it was', async () => {
  const page = await openPage(`tables/${kTable}/items`, { viewport: { width: 420, height: 860 } });
  await waitForRows(page, 40);
  const inside = () => page.evaluate(() => [...document.querySelectorAll('main, .items, .items-tools, .query-row, .items-foot')].map((node) => node.scrollWidth - node.clientWidth));
  for (const over of await inside()) assert.ok(over <= 0, `${over} pixels are cut`);
  const list = await boxOf(page.locator('.grid-scroll'));
  assert.ok(list.height >= 250, `the list is ${list.height} high`);
  await rows(page).nth(8).locator('td[data-name="order"]').click();
  await panel(page).getByText('o08').first().waitFor();
  assert.deepEqual(await boxOf(panel(page)), { left: 0, top: 0, right: 420, bottom: 860, width: 420, height: 860 });
  assert.ok(await panel(page).evaluate((node) => node.contains(document.activeElement)));
  assert.ok(!await page.locator('.grid-scroll').isVisible());
  const body = await boxOf(page.locator('.panel-body'));
  for (const field of await panel(page).locator('.attribute-line :is(input, textarea, select)').all()) {
    const { left, right } = await boxOf(field);
    assert.ok(left >= body.left && right <= body.right, `a field from ${left} to ${right}`);
  }
  await page.getByRole('button', { name: 'Close the item' }).click();
  await page.locator('.grid-scroll').waitFor({ state: 'visible' });
  assert.equal(await rows(page).nth(8).locator('td[data-name="order"]').evaluate((node) => node === document.activeElement), true);
  await page.done();
});

test('names of attributes are cut with an ellipsis, are whole in a title, and have more room in a wider panel', async () => {
  const widths = [];
  for (const width of [1200, 1440]) {
    const page = await openPage(`tables/${kTable}/items`, { viewport: { width, height: 900 } });
    await openFirst(page);
    const name = panel(page).getByLabel(`Name of ${kLongName}`);
    const { overflow, title, shown, all } = await name.evaluate((node) => ({
      overflow: getComputedStyle(node).textOverflow, title: node.title, shown: node.clientWidth, all: node.scrollWidth }));
    assert.deepEqual([overflow, title], ['ellipsis', kLongName]);
    assert.ok(shown < all, 'the name fits, so that this test finds nothing');
    widths.push(shown);
    await page.done();
  }
  assert.ok(widths[1] > widths[0] + 20, `${widths}`);
});

test('each type has room in its box', async () => {
  const page = await openPage(`tables/${kTable}/items`);
  await openFirst(page);
  const [box, needed] = await panel(page).getByLabel('Type of tags').evaluate((node) => {
    // As wide as its widest option by itself.
    const copy = node.cloneNode(true);
    copy.style.setProperty('width', 'auto');
    copy.style.setProperty('min-width', 'max-content');
    copy.style.setProperty('justify-self', 'start');
    node.after(copy);
    const width = copy.getBoundingClientRect().width;
    copy.remove();
    return [node.getBoundingClientRect().width, width];
  });
  assert.ok(box >= needed, `${box} pixels, and it needs ${needed}`);
  await page.done();
});

// The width of the columns, of the grid, and where the last column ends.
const widths = (page) => page.evaluate(() => {
  const scroller = document.querySelector('.grid-scroll');
  const last = document.querySelector('.items-grid thead th:last-child').getBoundingClientRect();
  return { room: scroller.clientWidth, table: document.querySelector('.items-grid').getBoundingClientRect().width, end: last.right - scroller.getBoundingClientRect().left };
});
const isFilled = (page) => page.waitForFunction(() => {
  const { clientWidth } = document.querySelector('.grid-scroll');
  return clientWidth > 0 && Math.abs(document.querySelector('.items-grid').getBoundingClientRect().width - clientWidth) < 2;
});

test('few columns fill the grid, also when the window or the panel changes its width', async () => {
  await makeTable('layout-two', { hash: ['id', 'S'] });
  await fill('layout-two', Array.from({ length: 5 }, (_, n) => ({ id: { S: `i${n}` }, n: { N: `${n}` } })));
  const page = await openPage('tables/layout-two/items', { viewport: { width: 1440, height: 900 } });
  await waitForRows(page, 5);
  await isFilled(page);
  const { room, end } = await widths(page);
  assert.ok(room > 1000 && Math.abs(end - room) < 2, `${end} of ${room}`);
  await page.setViewportSize({ width: 1100, height: 900 });
  await page.waitForFunction((before) => document.querySelector('.grid-scroll').clientWidth < before, room);
  await isFilled(page);
  await rows(page).first().locator('td[data-name="id"]').click();
  await panel(page).waitFor();
  await isFilled(page);
  await page.done();
});

test('the answer of a statement fills the grid too', async () => {
  const page = await openPage(`partiql?statement=${encodeURIComponent(`SELECT "order", total FROM "${kTable}"`)}`, { viewport: { width: 1440, height: 900 } });
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, 40);
  await isFilled(page);
  await page.done();
});

test('a column that was dragged keeps its width', async () => {
  const page = await openPage(`tables/${kTable}/items`, { viewport: { width: 1440, height: 900 } });
  await waitForRows(page, 40);
  const head = page.locator('.items-grid th').nth(2);
  const before = await boxOf(head);
  const handle = await boxOf(head.locator('.resize'));
  await page.mouse.move(handle.left + 3, handle.top + 5);
  await page.mouse.down();
  await page.mouse.move(handle.left + 53, handle.top + 5, { steps: 3 });
  await page.mouse.up();
  const dragged = (await boxOf(head)).width;
  assert.ok(Math.abs(dragged - before.width - 50) <= 2, `${before.width}, then ${dragged}`);
  await page.setViewportSize({ width: 1300, height: 900 });
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, 40);
  assert.equal((await boxOf(head)).width, dragged);
  await page.done();
});

test('controls of one row are of one height', async () => {
  const page = await openPage(`tables/${kTable}/items`, { viewport: { width: 1440, height: 900 } });
  await openFirst(page);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Select item 1', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete 1 item' }).waitFor();
  const found = await page.evaluate(() => ['.query-row', '.filter', '.items-tools', '.items-foot', '.item-panel > footer'].flatMap((place) => (
    [...document.querySelectorAll(place)].filter((row) => row.offsetHeight > 0).map((row) => ({
      place, heights: [...new Set([...row.querySelectorAll('button, select, input:not([type=checkbox])')].filter((node) => node.offsetHeight > 0).map((node) => node.getBoundingClientRect().height))] })))));
  assert.ok(found.length >= 6, JSON.stringify(found));
  for (const { place, heights } of found) assert.deepEqual(heights, [30], `${place}: ${heights}`);
  await page.done();
});

// The lowest row of pixels that text has, of a name and of the letter of its type: both stand on the line.
test('the letter of a type stands on the line of its name', async () => {
  const page = await openPage(`tables/${kTable}/items`);
  await waitForRows(page, 40);
  const name = page.locator('.cell-name').filter({ hasText: 'x' }).first();
  const picture = (await name.screenshot()).toString('base64');
  const [text, letter] = await name.evaluate(async (node, base64) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    const border = node.querySelector('.type').getBoundingClientRect().left - node.getBoundingClientRect().left;
    const lowest = (from, to) => {
      let found = -1;
      for (let y = 0; y < image.height; y += 1) for (let x = Math.floor(from); x < to; x += 1) if (data[(y * image.width + x) * 4] < 170) found = y;
      return found;
    };
    return [lowest(0, border), lowest(border, image.width)];
  }, picture);
  assert.ok(text > 0);
  assert.equal(letter, text);
  await page.done();
});

test('long keys and names leave the room as wide as it is', async () => {
  const long = 'k'.repeat(255);
  await makeTable('layout-long', { hash: [long, 'S'] });
  await call('PutItem', { TableName: 'layout-long', Item: { [long]: { S: 'v'.repeat(2000) } } });
  for (const width of [1440, 420]) {
    const page = await openPage('tables/layout-long/items', { viewport: { width, height: 800 } });
    await waitForRows(page, 1);
    await rows(page).first().locator('td').nth(1).click();
    await panel(page).waitFor();
    const over = await page.evaluate(() => ['main', '.item-panel', '.panel-body'].map((each) => document.querySelector(each)).map((node) => node.scrollWidth - node.clientWidth));
    assert.deepEqual(over, [0, 0, 0], `at ${width}`);
    await page.done();
  }
});
