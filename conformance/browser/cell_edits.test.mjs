// Edits in cells of the grid: pending and marked, reviewed, saved or discarded together, and never over the changes of others.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { findBarriers, kForAxe } from './axe.mjs';
import { cell, doubleClickCell, editCell, editor, fill, panel, waitForRows } from './grid.mjs';
import { call, checkHarmless, closeBrowser, hostileTexts, makeTable, openPage, waitUntil } from './page.mjs';

after(closeBrowser);

const kIndexes = {
  AttributeDefinitions: [{ AttributeName: 'status', AttributeType: 'S' }],
  GlobalSecondaryIndexes: [{ IndexName: 'byStatus', Projection: { ProjectionType: 'KEYS_ONLY' }, KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }] }],
};
const orderOf = (n) => ({ customer: { S: 'c' }, order: { S: `o${n}` }, status: { S: 'open' }, name: { S: `name ${n}` }, total: { N: String(n) }, paid: { BOOL: false }, tags: { SS: ['a'] } });
const keyOf = (n) => ({ customer: { S: 'c' }, order: { S: `o${n}` } });
const read = async (table, n) => (await call('GetItem', { TableName: table, Key: keyOf(n) })).Item;
const update = (table, n, name, value) => call('UpdateItem', { TableName: table, Key: keyOf(n), UpdateExpression: 'SET #n = :v', ExpressionAttributeNames: { '#n': name }, ExpressionAttributeValues: { ':v': value } });

async function openOrders(table, { count = 5, place = '?pk=c', options = {} } = {}) {
  await makeTable(table, { hash: ['customer', 'S'], range: ['order', 'S'] }, kIndexes);
  await fill(table, Array.from({ length: count }, (_, n) => orderOf(n)));
  const page = await openPage(`tables/${table}/items${place}`, options);
  await waitForRows(page, Math.min(count, 50));
  return page;
}

const bar = (page) => page.locator('.edit-bar');
const review = (page) => page.getByRole('dialog', { name: 'Unsaved changes' });
const openReview = async (page) => {
  await bar(page).getByRole('button', { name: 'Review and save' }).click();
  await review(page).waitFor();
};
const writesOf = (page) => {
  const found = [];
  page.on('request', (request) => {
    const target = request.headers()['x-amz-target'] ?? '';
    if (/UpdateItem|PutItem|BatchWrite|Transact|DeleteItem/.test(target)) found.push({ target, body: request.postDataJSON() });
  });
  return found;
};

test('several edits are pending and marked, and are saved together after a review', async () => {
  const page = await openOrders('edits-save');
  const writes = writesOf(page);
  await editCell(page, 'o1', 'total', '10.50');
  await editCell(page, 'o1', 'name', 'other');
  await doubleClickCell(page, 'o3', 'paid');
  await editor(page).selectOption('true');
  await page.keyboard.press('Enter');
  await bar(page).getByText('3 changes in 2 items are not saved yet.').waitFor();
  assert.deepEqual(await page.locator('.items-grid td.pending').evaluateAll((cells) => cells.map((each) => each.dataset.name)), ['name', 'total', 'paid']);
  assert.equal(await cell(page, 'o1', 'total').getAttribute('title'), 'Not saved yet. It was 1.');
  assert.deepEqual(writes, []);
  assert.deepEqual(await read('edits-save', 1), orderOf(1));
  await openReview(page);
  assert.deepEqual(await review(page).locator('tbody tr').allTextContents(), ['total110.50×', 'namename 1other×', 'paidfalsetrue×']);
  await review(page).getByRole('button', { name: 'Save 3 changes' }).click();
  await page.getByText('3 changes saved.').waitFor();
  await review(page).waitFor({ state: 'detached' });
  assert.equal(await page.locator('.items-grid td.pending').count(), 0);
  assert.ok(!await bar(page).isVisible());
  assert.deepEqual(await read('edits-save', 1), { ...orderOf(1), total: { N: '10.5' }, name: { S: 'other' } });
  assert.deepEqual(await read('edits-save', 3), { ...orderOf(3), paid: { BOOL: true } });
  assert.deepEqual(writes.map(({ target }) => target), ['DynamoDB_20120810.UpdateItem', 'DynamoDB_20120810.UpdateItem']);
  assert.equal(writes[0].body.ConditionExpression, 'attribute_exists(#customer) AND #total = :was AND #name = :was2');
  // And back, on the same conditions.
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The previous values are restored.').waitFor();
  assert.deepEqual([await read('edits-save', 1), await read('edits-save', 3)], [orderOf(1), orderOf(3)]);
  await page.done();
});

test('keys alone edit, and Escape leaves the cell as it was', async () => {
  const page = await openOrders('edits-keys');
  await page.locator('main').focus();
  await page.keyboard.press('j');
  await cell(page, 'o0', 'name').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('first');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.name), 'paid');
  await cell(page, 'o0', 'total').focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('7x');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This is not a number.').waitFor();
  assert.equal(await editor(page).getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Escape');
  await editor(page).waitFor({ state: 'detached' });
  assert.equal(await cell(page, 'o0', 'total').textContent(), '0');
  assert.ok(await cell(page, 'o0', 'total').evaluate((node) => node === document.activeElement));
  await bar(page).getByText('1 change in 1 item is not saved yet.').waitFor();
  await page.keyboard.press('Control+s');
  await review(page).getByRole('button', { name: 'Save 1 change' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('1 change saved.').waitFor();
  assert.deepEqual((await read('edits-keys', 0)).name, { S: 'first' });
  await page.done();
});

test('a key is not edited in a cell, nor what is no scalar: the item opens', async () => {
  const page = await openOrders('edits-not');
  for (const name of ['order', 'tags']) {
    assert.equal(await cell(page, 'o2', name).getAttribute('aria-readonly'), 'true');
    await cell(page, 'o2', name).dblclick();
    await panel(page).getByText('c · o2').waitFor();
    assert.equal(await editor(page).count(), 0);
    await page.getByRole('button', { name: 'Close the item' }).click();
    await cell(page, 'o2', name).focus();
    await page.keyboard.press('Enter');
    await panel(page).getByText('c · o2').waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'hidden' });
  }
  assert.equal(await cell(page, 'o2', 'total').getAttribute('aria-readonly'), 'false');
  // A single click on a cell that can be edited opens the item as well.
  await cell(page, 'o2', 'total').click();
  await panel(page).getByText('c · o2').waitFor();
  assert.equal(await editor(page).count(), 0);
  await page.done();
});

test('a double click edits beside an open item too, and the item shows what was saved', async () => {
  const page = await openOrders('edits-beside', { options: { viewport: { width: 1600, height: 900 } } });
  await cell(page, 'o1', 'total').click();
  await panel(page).getByText('c · o1').waitFor();
  await cell(page, 'o1', 'name').dblclick();
  await editor(page).fill('beside');
  await page.keyboard.press('Enter');
  await openReview(page);
  await review(page).getByRole('button', { name: 'Save 1 change' }).click();
  await page.getByText('1 change saved.').waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-label="Value of name"]')?.value === 'beside');
  await page.done();
});

test('a change by somebody else is shown as a conflict, and is never overwritten unasked', async () => {
  const page = await openOrders('edits-conflict');
  await editCell(page, 'o1', 'name', 'mine');
  await editCell(page, 'o1', 'total', '11');
  await editCell(page, 'o2', 'name', 'mine too');
  await editCell(page, 'o3', 'name', 'goes through');
  await editCell(page, 'o4', 'name', 'is gone');
  await update('edits-conflict', 1, 'name', { S: 'theirs' });
  await update('edits-conflict', 2, 'name', { S: 'theirs too' });
  // Another attribute of the same item is no conflict.
  await update('edits-conflict', 3, 'total', { N: '33' });
  await call('DeleteItem', { TableName: 'edits-conflict', Key: keyOf(4) });
  await openReview(page);
  await review(page).getByRole('button', { name: 'Save 5 changes' }).click();
  await review(page).getByText('Another client deleted this item after you read it').waitFor();
  assert.deepEqual([(await read('edits-conflict', 1)).name, (await read('edits-conflict', 1)).total], [{ S: 'theirs' }, { N: '1' }]);
  assert.deepEqual(await read('edits-conflict', 3), { ...orderOf(3), name: { S: 'goes through' }, total: { N: '33' } });
  assert.equal(await read('edits-conflict', 4), undefined);
  const item = (name) => review(page).getByRole('region', { name });
  assert.deepEqual(await item('c · o1').locator('tbody tr').allTextContents(), ['namename 1theirsmine×', 'total1111×']);
  assert.ok(await review(page).getByRole('button', { name: 'Save 4 changes' }).isDisabled());
  await item('c · o1').getByRole('button', { name: 'Keep current values' }).click();
  await item('c · o2').getByRole('button', { name: 'Keep my values' }).click();
  await item('c · o4').getByRole('button', { name: 'Discard my changes' }).click();
  await review(page).getByRole('button', { name: 'Save 2 changes' }).click();
  await review(page).waitFor({ state: 'detached' });
  assert.deepEqual([(await read('edits-conflict', 1)).name, (await read('edits-conflict', 1)).total], [{ S: 'theirs' }, { N: '11' }]);
  assert.deepEqual((await read('edits-conflict', 2)).name, { S: 'mine too' });
  assert.equal(await cell(page, 'o1', 'name').textContent(), 'theirs');
  assert.ok(!await bar(page).isVisible());
  await page.done();
});

test('what somebody changes between the review and the second save is a conflict again', async () => {
  const page = await openOrders('edits-again');
  await editCell(page, 'o1', 'name', 'mine');
  await update('edits-again', 1, 'name', { S: 'theirs' });
  await openReview(page);
  await review(page).getByRole('button', { name: 'Save 1 change' }).click();
  await review(page).getByRole('button', { name: 'Keep my values' }).click();
  await update('edits-again', 1, 'name', { S: 'once more' });
  await review(page).getByRole('button', { name: 'Save 1 change' }).click();
  await review(page).getByText('once more').waitFor();
  assert.deepEqual((await read('edits-again', 1)).name, { S: 'once more' });
  await page.done();
});

test('edits are discarded one by one and together', async () => {
  const page = await openOrders('edits-discard');
  await editCell(page, 'o1', 'name', 'a');
  await editCell(page, 'o1', 'total', '5');
  await editCell(page, 'o2', 'name', 'b');
  // The value that was read takes the change back.
  await editCell(page, 'o2', 'name', 'name 2');
  await bar(page).getByText('2 changes in 1 item').waitFor();
  await openReview(page);
  await review(page).getByRole('button', { name: 'Discard the change of total' }).click();
  await review(page).getByRole('button', { name: 'Save 1 change' }).waitFor();
  await page.keyboard.press('Escape');
  await waitUntil(async () => await cell(page, 'o1', 'total').textContent() === '1', 'the total that was read');
  await editCell(page, 'o3', 'name', 'c');
  await bar(page).getByRole('button', { name: 'Discard all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard all' }).click();
  await bar(page).waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.items-grid td.pending').count(), 0);
  assert.deepEqual(await read('edits-discard', 1), orderOf(1));
  await page.done();
});

test('the room is left only when the reader agrees to lose what is pending', async () => {
  const page = await openOrders('edits-leave');
  const guarded = () => page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
  assert.equal(await guarded(), false);
  await editCell(page, 'o1', 'name', 'mine');
  assert.equal(await guarded(), true);
  const dialog = page.getByRole('dialog', { name: 'Leave with unsaved changes?' });
  await page.getByRole('link', { name: 'Tables', exact: true }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.waitForURL(/edits-leave\/items/);
  assert.match(await cell(page, 'o1', 'name').textContent(), /^mine/);
  await page.getByRole('link', { name: 'Tables', exact: true }).click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await page.waitForURL(/#\/tables$/);
  await page.goBack();
  await waitForRows(page, 5);
  assert.equal(await page.locator('.items-grid td.pending').count(), 0);
  await page.done();
});

test('edits stay over pages, over another query of the table, and after signing in again', async () => {
  const page = await openOrders('edits-stay', { count: 60 });
  await editCell(page, 'o1', 'name', 'stays');
  await page.getByRole('button', { name: 'Next' }).click();
  await waitForRows(page, 10);
  await bar(page).getByText('1 change in 1 item').waitFor();
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.locator('.items-grid td.pending').waitFor();
  await page.locator('.items-grid td[data-name="status"] a').first().click();
  await page.waitForURL(/index=byStatus/);
  await bar(page).getByText('1 change in 1 item').waitFor();
  await page.goBack();
  await page.locator('.items-grid td.pending').waitFor();
  await page.getByRole('button', { name: 'Connection' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
  await page.locator('.items-grid td.pending').waitFor();
  await openReview(page);
  await review(page).getByRole('button', { name: 'Save 1 change' }).click();
  await page.getByText('1 change saved.').waitFor();
  assert.deepEqual((await read('edits-stay', 1)).name, { S: 'stays' });
  await page.done();
});

test('edits of another region are kept for it, and never saved here', async () => {
  const page = await openOrders('edits-region');
  await editCell(page, 'o1', 'name', 'there');
  const connect = async (region) => {
    await page.getByRole('button', { name: 'Connection' }).click();
    await page.getByLabel('Region').fill(region);
    await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click();
  };
  await connect('eu-west-1');
  await page.getByText('1 unsaved change of edits-region was made in another namespace or region').waitFor();
  await waitForRows(page, 5);
  assert.ok(!await bar(page).isVisible());
  await connect('us-east-1');
  await page.locator('.items-grid td.pending').waitFor();
  await page.done();
});

test('what already became so is no change any more', async () => {
  const page = await openOrders('edits-settled');
  await editCell(page, 'o1', 'total', '5');
  await update('edits-settled', 1, 'total', { N: '5' });
  await page.getByRole('button', { name: 'Run' }).click();
  await bar(page).waitFor({ state: 'hidden' });
  await page.done();
});

test('an edit in a row of an index that has keys alone keeps the rest of the item', async () => {
  const page = await openOrders('edits-index', { place: '?index=byStatus&pk=open' });
  await editCell(page, 'o1', 'status', 'sent');
  await openReview(page);
  await review(page).getByRole('button', { name: 'Save 1 change' }).click();
  await page.getByText('1 change saved.').waitFor();
  assert.deepEqual(await read('edits-index', 1), { ...orderOf(1), status: { S: 'sent' } });
  await page.done();
});

test('texts of several lines, empty and hostile ones are edited as they are', async () => {
  await makeTable('edits-hostile', { hash: ['id', 'S'] });
  await fill('edits-hostile', hostileTexts.map((text, n) => ({ id: { S: `i${n}` }, '<b>t</b>': { S: `${text}\nline` }, nothing: { S: '' }, '__proto__x': { S: text } })));
  const page = await openPage('tables/edits-hostile/items');
  await waitForRows(page, hostileTexts.length);
  const texts = hostileTexts.entries();
  for (const [n, text] of texts) {
    await cell(page, `i${n}`, '__proto__x').focus();
    await page.keyboard.press('F2');
    assert.equal(await editor(page).inputValue(), text);
    await editor(page).fill(`${text}!`);
    await page.keyboard.press('Enter');
  }
  await cell(page, 'i1', 'nothing').focus();
  await page.keyboard.press('F2');
  await editor(page).fill('a');
  await page.keyboard.press('Alt+Enter');
  await page.keyboard.type('b');
  await page.keyboard.press('Enter');
  await checkHarmless(page);
  await openReview(page);
  await checkHarmless(page);
  await review(page).getByRole('button', { name: /^Save \d+ changes/ }).click();
  await page.getByText('11 changes saved.').waitFor();
  for (const [n, text] of hostileTexts.entries()) {
    const { Item } = await call('GetItem', { TableName: 'edits-hostile', Key: { id: { S: `i${n}` } } });
    assert.deepEqual(Item, { id: { S: `i${n}` }, '<b>t</b>': { S: `${text}\nline` }, nothing: { S: n === 1 ? 'a\nb' : '' }, '__proto__x': { S: `${text}!` } });
  }
  await page.done();
});

test('an answer that is an error leaves the change pending', async () => {
  const page = await openOrders('edits-error');
  await editCell(page, 'o1', 'status', '');
  await openReview(page);
  await review(page).getByRole('button', { name: 'Save 1 change' }).click();
  await review(page).getByText('ValidationException').waitFor();
  await page.keyboard.press('Escape');
  await bar(page).getByText('1 change in 1 item').waitFor();
  assert.deepEqual(await read('edits-error', 1), orderOf(1));
  await page.done();
});

test('clicking elsewhere keeps what was typed, and a check box of the same row still works', async () => {
  const page = await openOrders('edits-click');
  await doubleClickCell(page, 'o1', 'total');
  await editor(page).fill('12');
  await page.getByLabel('Select item 2', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete 1 item' }).waitFor();
  assert.match(await cell(page, 'o1', 'total').textContent(), /^12/);
  await bar(page).getByText('1 change in 1 item').waitFor();
  await page.done();
});

for (const colorScheme of ['light', 'dark']) {
  test(`edits and their review have no barriers, ${colorScheme}`, async () => {
    const page = await openOrders(`edits-barriers-${colorScheme}`, { options: { colorScheme, ...kForAxe } });
    await editCell(page, 'o1', 'name', 'mine');
    await cell(page, 'o2', 'total').focus();
    await page.keyboard.press('F2');
    await editor(page).fill('x');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This is not a number.').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press('Escape');
    await update(`edits-barriers-${colorScheme}`, 1, 'name', { S: 'theirs' });
    await openReview(page);
    assert.deepEqual(await findBarriers(page), []);
    await review(page).getByRole('button', { name: 'Save 1 change' }).click();
    await review(page).getByText('Another client changed').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.done();
  });
}
