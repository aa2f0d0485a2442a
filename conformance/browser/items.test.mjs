// The room of items: finding, reading page by page, following; creating, changing, deleting.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { fill, panel, rows, waitForRows } from './grid.mjs';
import { call, checkHarmless, closeBrowser, endpoint, hostileTexts, makeTable, openPage } from './page.mjs';

after(closeBrowser);

const kDigits = '12345678901234567890123456789012345678';
const kIndexes = {
  AttributeDefinitions: [{ AttributeName: 'status', AttributeType: 'S' }, { AttributeName: 'day', AttributeType: 'N' }],
  GlobalSecondaryIndexes: [{
    IndexName: 'byStatus', Projection: { ProjectionType: 'KEYS_ONLY' },
    KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }, { AttributeName: 'day', KeyType: 'RANGE' }],
  }],
};

const orderOf = (customer, number) => ({
  customer: { S: `c${customer}` }, order: { S: `o${String(number).padStart(3, '0')}` }, status: { S: ['open', 'paid', 'sent'][number % 3] }, day: { N: String(number) },
  total: { N: number === 7 ? kDigits : `${number}.5` }, tags: { SS: ['a', 'b'] }, address: { M: { city: { S: 'Bonn' }, lines: { L: [{ S: 'Street 1' }, { N: '2' }] } } },
});

async function makeOrders(table, count = 120) {
  await makeTable(table, { hash: ['customer', 'S'], range: ['order', 'S'] }, kIndexes);
  await fill(table, Array.from({ length: count }, (_, index) => orderOf(index % 3, index)));
}

const status = (page) => page.locator('.items-status');
const read = async (table, customer, order) => (await call('GetItem', { TableName: table, Key: { customer: { S: customer }, order: { S: order } } })).Item;
const openRow = async (page, text) => {
  await rows(page).filter({ hasText: text }).locator('td').nth(2).click();
  await panel(page).getByText(text).first().waitFor();
};

test('items come page by page, forwards and back, with what they cost', async () => {
  await makeOrders('items-pages');
  const page = await openPage('tables/items-pages/items');
  await waitForRows(page, 50);
  assert.match(await status(page).textContent(), /^Scan · 50 items read · [\d.]+ units? · /);
  const first = await rows(page).first().textContent();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('51–100').waitFor();
  await page.locator('main').focus();
  await page.keyboard.press('n');
  await waitForRows(page, 20);
  assert.ok(await page.getByRole('button', { name: 'Next' }).isDisabled());
  await page.keyboard.press('p');
  await page.keyboard.press('p');
  await page.getByText('1–50').waitFor();
  assert.equal(await rows(page).first().textContent(), first);
  await page.getByRole('button', { name: 'Count' }).click();
  await page.getByText('of 120', { exact: false }).first().waitFor();
  await page.done();
});

test('a key, a range and a filter find items, and the address brings them back', async () => {
  await makeOrders('items-find');
  const page = await openPage('tables/items-find/items');
  await waitForRows(page, 50);
  await page.locator('main').focus();
  await page.keyboard.press('k');
  await page.keyboard.type('c1');
  await page.getByText('reads only items with this customer').waitFor();
  await page.keyboard.press('Enter');
  await waitForRows(page, 40);
  assert.match(await status(page).textContent(), /^Query · 40 items read/);
  await page.getByLabel('Comparison for order').selectOption('begins_with');
  await page.getByLabel('order', { exact: true }).last().fill('o00');
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, 3);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Attribute', { exact: true }).fill('total');
  await page.getByLabel('Operator').selectOption('>');
  await page.getByLabel('Value', { exact: true }).fill('4');
  assert.equal(await page.getByLabel('Type of the value').inputValue(), 'N');
  await page.keyboard.press('Enter');
  await waitForRows(page, 2);
  assert.match(await status(page).textContent(), /2 items of 3 read/);
  await page.reload();
  await waitForRows(page, 2);
  await page.goBack();
  await waitForRows(page, 3);
  await page.done();
});

test('a wrong value is told at its field, and nothing is sent', async () => {
  await makeOrders('items-wrong', 5);
  const page = await openPage('tables/items-wrong/items?index=byStatus');
  await page.locator('[data-field="partition0"] input').fill('open');
  await page.locator('[data-field="sort0value"]').fill('three');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('three is not a number.').waitFor();
  assert.equal(await page.locator('[data-field="sort0value"]').getAttribute('aria-invalid'), 'true');
  await page.done();
});

test('an index is followed from a value, and offered where a filter would scan', async () => {
  await makeOrders('items-follow');
  const page = await openPage('tables/items-follow/items');
  await waitForRows(page, 50);
  await rows(page).filter({ hasText: 'sent' }).first().getByRole('link', { name: 'sent' }).click();
  await waitForRows(page, 40);
  assert.match(page.url(), /index=byStatus&pk=sent/);
  // The index has keys alone; the panel has the item.
  await openRow(page, 'o008');
  assert.equal(await panel(page).getByLabel('Value of total').inputValue(), '8.5');
  await page.goto(`${endpoint}/_/#/tables/items-follow/items?filter=${encodeURIComponent(JSON.stringify(['status', '=', 'S', 'sent']))}`);
  await page.getByRole('button', { name: 'Use byStatus' }).click();
  await waitForRows(page, 40);
  assert.match(await status(page).textContent(), /^Query · 40 items read/);
  await page.done();
});

test('the request is shown in each language, as it was sent', async () => {
  await makeOrders('items-code', 5);
  const page = await openPage('tables/items-code/items?pk=c1');
  await waitForRows(page, 2);
  await page.getByText('Request: Query').click();
  for (const [tab, words] of [['JSON', '"KeyConditionExpression"'], ['AWS CLI', 'aws dynamodb query'], ['JavaScript', 'new QueryCommand('], ['Python', 'client.query('], ['Java', 'QueryRequest.builder()'], ['Go', '&dynamodb.QueryInput{']]) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await page.locator('.code').filter({ hasText: words }).waitFor();
  }
  await page.done();
});

test('an edit in the form sends what changed and keeps types and digits', async () => {
  await makeOrders('items-edit', 10);
  const page = await openPage('tables/items-edit/items?pk=c1&sk=o007');
  await waitForRows(page, 1);
  await openRow(page, 'o007');
  await panel(page).getByLabel('Value of address.city').fill('Ulm');
  await panel(page).getByLabel('Value of tags, member 2').fill('z');
  await panel(page).getByText('2 changes').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  const item = await read('items-edit', 'c1', 'o007');
  assert.deepEqual(item, { ...orderOf(1, 7), tags: { SS: ['a', 'z'] }, address: { M: { ...orderOf(1, 7).address.M, city: { S: 'Ulm' } } } });
  await page.done();
});

test('an edit as JSON keeps sets, and tells of types that change', async () => {
  await makeOrders('items-json', 10);
  const page = await openPage('tables/items-json/items?pk=c1&sk=o007');
  await waitForRows(page, 1);
  await openRow(page, 'o007');
  await panel(page).getByRole('tab', { name: 'JSON', exact: true }).click();
  const text = page.getByLabel('The item as JSON');
  const before = await text.inputValue();
  assert.match(before, new RegExp(`"total": ${kDigits}`));
  await text.fill('{"customer": "c1"');
  await panel(page).getByText('Line 1, column 18').waitFor();
  assert.ok(await panel(page).getByRole('button', { name: 'Save' }).isDisabled());
  await text.fill(before.replace('"a",', '"q",').replace('"Bonn"', '["Bonn"]'));
  await panel(page).getByText('Types: address.city: S, now L').waitFor();
  await panel(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const item = await read('items-json', 'c1', 'o007');
  assert.deepEqual([item.tags, item.address.M.city, item.total], [{ SS: ['b', 'q'] }, { L: [{ S: 'Bonn' }] }, { N: kDigits }]);
  await page.done();
});

test('what somebody else changed meanwhile is shown and never overwritten', async () => {
  await makeOrders('items-conflict', 10);
  const page = await openPage('tables/items-conflict/items?pk=c1&sk=o007');
  await waitForRows(page, 1);
  await openRow(page, 'o007');
  const update = (expression, values) => call('UpdateItem', { TableName: 'items-conflict', Key: { customer: { S: 'c1' }, order: { S: 'o007' } }, UpdateExpression: expression, ExpressionAttributeValues: values, ExpressionAttributeNames: { '#s': 'status' } });
  await update('SET #s = :s, added = :a', { ':s': { S: 'theirs' }, ':a': { N: '1' } });
  await panel(page).getByLabel('Value of day').fill('99');
  await panel(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.deepEqual((await read('items-conflict', 'c1', 'o007')).status, { S: 'theirs' });
  await update('SET #s = :s', { ':s': { S: 'again' } });
  await panel(page).getByLabel('Value of status').fill('mine');
  await panel(page).getByRole('button', { name: 'Save' }).click();
  await panel(page).getByText('Another client changed this item after you read it').waitFor();
  assert.deepEqual((await read('items-conflict', 'c1', 'o007')).status, { S: 'again' });
  await panel(page).getByRole('button', { name: 'Apply my changes to the current item' }).click();
  await page.keyboard.press('Control+s');
  await panel(page).getByText('0 changes').waitFor();
  const item = await read('items-conflict', 'c1', 'o007');
  assert.deepEqual([item.status, item.day, item.added], [{ S: 'mine' }, { N: '99' }, { N: '1' }]);
  await page.done();
});

test('items are created, and never over another', async () => {
  await makeOrders('items-create', 3);
  const page = await openPage('tables/items-create/items');
  await waitForRows(page, 3);
  await page.locator('main').focus();
  await page.keyboard.press('i');
  await panel(page).getByLabel('Value of customer').fill('c0');
  await panel(page).getByLabel('Value of order').fill('o000');
  const adder = panel(page).locator('.adder').last();
  await adder.getByLabel('Name of the new attribute').fill('price');
  await adder.getByLabel('Value to add').fill('12.50');
  await page.keyboard.press('Enter');
  assert.equal(await panel(page).getByLabel('Type of price').inputValue(), 'N');
  await panel(page).getByRole('button', { name: 'Create' }).click();
  await panel(page).getByText('An item with this key exists').waitFor();
  await panel(page).getByLabel('Value of order').fill('new');
  await panel(page).getByRole('button', { name: 'Create' }).click();
  await waitForRows(page, 4);
  assert.deepEqual(await read('items-create', 'c0', 'new'), { customer: { S: 'c0' }, order: { S: 'new' }, price: { N: '12.5' } });
  await page.done();
});

test('items are duplicated, and moved to another key', async () => {
  await makeOrders('items-move', 3);
  const page = await openPage('tables/items-move/items');
  await waitForRows(page, 3);
  await openRow(page, 'o001');
  await panel(page).getByRole('button', { name: 'Duplicate' }).click();
  await panel(page).getByLabel('Value of order').fill('copy');
  await panel(page).getByRole('button', { name: 'Create' }).click();
  await waitForRows(page, 4);
  await openRow(page, 'copy');
  await panel(page).getByLabel('Value of order').fill('moved');
  await panel(page).getByRole('button', { name: 'Save with the new key' }).click();
  await rows(page).filter({ hasText: 'moved' }).waitFor();
  assert.deepEqual(await read('items-move', 'c1', 'moved'), { ...orderOf(1, 1), order: { S: 'moved' } });
  assert.equal(await read('items-move', 'c1', 'copy'), undefined);
  assert.deepEqual(await read('items-move', 'c1', 'o001'), orderOf(1, 1));
  await page.done();
});

test('a deletion is taken back', async () => {
  await makeOrders('items-undo', 3);
  const page = await openPage('tables/items-undo/items');
  await waitForRows(page, 3);
  await openRow(page, 'o001');
  await panel(page).getByRole('button', { name: 'Delete' }).click();
  await waitForRows(page, 2);
  assert.equal(await read('items-undo', 'c1', 'o001'), undefined);
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitForRows(page, 3);
  assert.deepEqual(await read('items-undo', 'c1', 'o001'), orderOf(1, 1));
  await page.done();
});

test('what is not saved is asked for before it is left', async () => {
  await makeOrders('items-leave', 3);
  const page = await openPage('tables/items-leave/items');
  await waitForRows(page, 3);
  await openRow(page, 'o001');
  await panel(page).getByLabel('Value of day').fill('5');
  await page.keyboard.press('Escape');
  const dialog = page.getByRole('dialog', { name: 'Leave the item?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await panel(page).getByLabel('Value of day').inputValue(), '5');
  await page.getByRole('link', { name: 'Tables', exact: true }).click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await page.waitForURL(/#\/tables$/);
  await page.done();
});

test('the grid is used with keys alone', async () => {
  await makeOrders('items-keys', 5);
  const page = await openPage('tables/items-keys/items?pk=c0');
  await waitForRows(page, 2);
  await page.locator('main').focus();
  await page.keyboard.press('j');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', ' ']) await page.keyboard.press(key);
  assert.equal(await rows(page).nth(1).getAttribute('aria-selected'), 'true');
  await page.getByRole('button', { name: 'Delete 1 item' }).waitFor();
  await page.keyboard.press('Enter');
  await panel(page).getByText('o003').first().waitFor();
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'hidden' });
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Delete 1 item?' }).waitFor();
  await page.keyboard.press('Enter');
  await waitForRows(page, 1);
  assert.equal(await read('items-keys', 'c0', 'o003'), undefined);
  await page.done();
});

test('hostile names and values are text in grid, form and JSON', async () => {
  await makeTable('items-hostile', { hash: ['id', 'S'] });
  let deep = { S: hostileTexts[0] };
  for (let level = 0; level < 30; level += 1) deep = level % 2 ? { L: [deep] } : { M: { [hostileTexts[1]]: deep } };
  const named = Object.fromEntries(hostileTexts.map((text, index) => [text, index % 2 ? { S: text } : { M: { [text]: { SS: [text] } } }]));
  await call('PutItem', { TableName: 'items-hostile', Item: { ...named, id: { S: hostileTexts[2] }, deep, long: { S: hostileTexts[0].repeat(11_000) } } });
  const page = await openPage('tables/items-hostile/items');
  await waitForRows(page, 1);
  await checkHarmless(page);
  await rows(page).first().locator('td').nth(2).click();
  await panel(page).getByRole('button', { name: 'deep, Map' }).or(panel(page).getByRole('button', { name: 'deep, List' })).click();
  await checkHarmless(page);
  for (const name of ['JSON', 'DynamoDB JSON', 'Form']) {
    await panel(page).getByRole('tab', { name, exact: true }).click();
    await checkHarmless(page);
  }
  await page.getByText('Request: Scan').click();
  for (const name of ['AWS CLI', 'JavaScript', 'Python', 'Java', 'Go']) await page.locator('.request').getByRole('tab', { name, exact: true }).click();
  await checkHarmless(page);
  await page.done();
});

test('names that mean something elsewhere, binary keys and indexes of several attributes', async () => {
  const odd = 'a.b `c" <x>';
  await makeTable('items-odd', { hash: ['__proto__', 'N'], range: [odd, 'B'] }, {
    AttributeDefinitions: ['g1', 'g2', 'r1', 'r2'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [{
      IndexName: 'several', Projection: { ProjectionType: 'ALL' },
      KeySchema: [['g1', 'HASH'], ['g2', 'HASH'], ['r1', 'RANGE'], ['r2', 'RANGE']].map(([AttributeName, KeyType]) => ({ AttributeName, KeyType })),
    }],
  });
  const texts = (number) => Object.entries({ g1: 'g', g2: 'h', r1: `${number % 2}`, r2: `${number}` }).map(([name, S]) => [name, { S }]);
  const item = (number) => Object.fromEntries([['__proto__', { N: `${number % 2}` }], [odd, { B: Buffer.from(`k${number}`).toString('base64') }], ...texts(number)]);
  await fill('items-odd', [0, 1, 2, 3, 4].map(item));
  const page = await openPage('tables/items-odd/items');
  await waitForRows(page, 5);
  const fillField = (name, text) => page.locator(`[data-field="${name}"] input, input[data-field="${name}"]`).fill(text);
  await fillField('partition0', '1.0');
  await page.keyboard.press('Enter');
  await waitForRows(page, 2);
  await fillField('sort0value', 'azE=');
  await page.keyboard.press('Enter');
  await waitForRows(page, 1);
  await rows(page).locator('td').nth(3).click();
  await panel(page).getByLabel('Value of r2').fill('other');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  await panel(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No item matches').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitForRows(page, 1);
  await page.goto(`${endpoint}/_/#/tables/items-odd/items?index=several&pk=g&pk2=h`);
  await waitForRows(page, 5);
  await fillField('sort0value', '0');
  await fillField('sort1value', '2');
  await page.getByLabel('Comparison for r2').selectOption('>=');
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, 2);
  await fillField('partition1', '');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('A Query also needs a value for g2.').waitFor();
  await page.done();
});

test('a page that was refused to be left keeps its address', async () => {
  await makeOrders('items-stay', 3);
  const page = await openPage('tables/items-stay/items');
  await waitForRows(page, 3);
  await page.locator('[data-field="partition0"] input').fill('c1');
  await page.keyboard.press('Enter');
  await waitForRows(page, 1);
  const address = page.url();
  await openRow(page, 'o001');
  await panel(page).getByLabel('Value of day').fill('5');
  await page.getByRole('link', { name: 'Tables', exact: true }).click();
  await page.getByRole('dialog', { name: 'Leave the item?' }).getByRole('button', { name: 'Cancel' }).click();
  await page.waitForFunction((wanted) => location.href === wanted, address);
  assert.equal(await panel(page).getByLabel('Value of day').inputValue(), '5');
  await page.done();
});
