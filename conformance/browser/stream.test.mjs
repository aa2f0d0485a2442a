// The room of a table's stream.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { call, checkHarmless, closeBrowser, hostileTexts, makeTable, openPage, waitUntil } from './page.mjs';

after(closeBrowser);

const kBoth = { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } };
const put = (TableName, Item) => call('PutItem', { TableName, Item });
const rowsOf = (page) => page.locator('.changes tbody tr');
const rowCount = (page, count) => page.waitForFunction(
  (wanted) => document.querySelectorAll('.changes tbody tr').length === wanted, count);

async function watch(table, query = '', options = {}) {
  const page = await openPage(`tables/${table}/stream${query}`, options);
  await page.getByText(/Reading \d+ shards?/).waitFor();
  return page;
}

test('changes come as they are made, and what differs is marked', async () => {
  await makeTable('stream-orders', { hash: ['id', 'S'] }, kBoth);
  const page = await watch('stream-orders');
  await put('stream-orders', {
    id: { S: 'o1' }, status: { S: 'NEW' }, total: { N: '12345678901234567890123456789012345678' }, gone: { BOOL: true },
    lines: { L: [{ M: { sku: { S: 'a' } } }] }, tags: { SS: ['x', 'y'] },
  });
  await rowsOf(page).getByText('New', { exact: true }).waitFor();
  await put('stream-orders', {
    id: { S: 'o1' }, status: { S: 'NEW AND PAID' }, total: { N: '12345678901234567890123456789012345679' },
    lines: { L: [{ M: { sku: { S: 'b' } } }] }, tags: { SS: ['x', 'z'] }, came: { NULL: true },
  });
  await rowsOf(page).getByText('Changed', { exact: true }).waitFor();
  const images = page.getByRole('table', { name: 'Changed values' });
  const cells = async (name) => images.locator('tr', { has: page.getByRole('rowheader', { name, exact: true }) }).locator('td').allInnerTexts();
  assert.deepEqual((await cells('total')).slice(1), [
    '12345678901234567890123456789012345678 N', '12345678901234567890123456789012345679 N']);
  assert.equal(await images.locator('ins').filter({ hasText: 'AND PAID' }).innerText(), ' AND PAID');
  assert.match((await cells('gone'))[0], /removed/);
  assert.match((await cells('came'))[0], /added/);
  assert.match((await cells('lines[0].sku'))[0], /changed/);
  assert.equal(await images.getByRole('rowheader', { name: 'id', exact: true }).count(), 0);
  await page.getByText('1 unchanged value').click();
  await page.getByRole('table', { name: 'Unchanged values' }).getByRole('rowheader', { name: 'id', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Open the item' }).click();
  await page.waitForURL(/#\/tables\/stream-orders\/items\?pk=o1$/);
  await page.done();
});

test('a deleted item is put back, but never over another', async () => {
  await makeTable('stream-back', { hash: ['id', 'S'] }, kBoth);
  const page = await watch('stream-back');
  await put('stream-back', { id: { S: 'a' }, n: { N: '1' } });
  await call('DeleteItem', { TableName: 'stream-back', Key: { id: { S: 'a' } } });
  await rowsOf(page).getByText('Deleted').waitFor();
  await page.getByRole('button', { name: 'Follow newest' }).click();
  await page.getByRole('button', { name: 'Restore the item' }).click();
  await page.getByText('The item is restored.').waitFor();
  const { Item } = await call('GetItem', { TableName: 'stream-back', Key: { id: { S: 'a' } } });
  assert.deepEqual(Item, { id: { S: 'a' }, n: { N: '1' } });
  await page.getByRole('button', { name: 'Restore the item' }).click();
  await page.getByText('The old item was not restored.').waitFor();
  await page.done();
});

test('what is hostile is text, in keys, names and values of any size', async () => {
  await makeTable('stream-hostile', { hash: ['id', 'S'] }, kBoth);
  const page = await watch('stream-hostile');
  for (const text of hostileTexts) {
    const map = Object.fromEntries([[text, { S: text }], ['set', { SS: [text, 'x'] }]]);
    await put('stream-hostile', { id: { S: text }, n: { N: '1' }, ...Object.fromEntries([[text, { S: text }]]), m: { M: map } });
    await put('stream-hostile', { id: { S: text }, n: { N: '2' }, m: { M: { ...map, more: { S: text } } } });
  }
  let deep = { S: hostileTexts[0] };
  for (let level = 0; level < 30; ++level) deep = level % 2 ? { L: [deep] } : { M: Object.fromEntries([[hostileTexts[1], deep]]) };
  await put('stream-hostile', { id: { S: 'deep' }, deep });
  await put('stream-hostile', { id: { S: 'large' }, text: { S: hostileTexts[0].repeat(10_000) } });
  await rowCount(page, 2 * hostileTexts.length + 2);
  for (const row of await rowsOf(page).all()) await row.click();
  await checkHarmless(page);
  await page.done();
});

/** Tells when the page has no request under way; it looks from now on. */
function watchRequests(page) {
  const underWay = new Set();
  page.on('request', (request) => underWay.add(request));
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => underWay.delete(request));
  const turn = () => page.evaluate(() => new Promise((resolve) => { setTimeout(resolve); }));
  return () => waitUntil(async () => {
    for (let count = 0; count < 5; ++count) {
      if (underWay.size > 0) return false;
      await turn();  // what came is read, and may be followed by another request
    }
    return underWay.size === 0;
  }, 'the round that was under way ends');
}

test('a pause shows nothing, and loses nothing', async () => {
  await makeTable('stream-pause', { hash: ['id', 'S'] }, kBoth);
  const page = await openPage('no/place');
  const endRound = watchRequests(page);
  await page.goto(page.url().replace(/#.*/, '#/tables/stream-pause/stream'));
  await page.getByText(/Reading \d+ shards?/).waitFor();
  const other = await watch('stream-pause');
  await page.locator('main').focus();
  await page.keyboard.press('p');
  await page.getByText(/Paused/).waitFor();
  await endRound();
  for (let at = 0; at < 5; ++at) await put('stream-pause', { id: { S: `i${at}` } });
  await rowCount(other, 5);
  await other.done();
  assert.equal(await rowsOf(page).count(), 0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await rowCount(page, 5);
  assert.deepEqual(await rowsOf(page).getByRole('button').allInnerTexts(), ['i4', 'i3', 'i2', 'i1', 'i0']);
  await page.done();
});

test('from the oldest; kinds and words choose; arrows lead through the list', async () => {
  await makeTable('stream-choose', { hash: ['id', 'S'] }, kBoth);
  for (const id of ['apple', 'pear', 'plum']) await put('stream-choose', { id: { S: id }, n: { N: '1' } });
  await call('DeleteItem', { TableName: 'stream-choose', Key: { id: { S: 'pear' } } });
  const page = await watch('stream-choose');
  await page.getByRole('combobox', { name: 'Start position' }).selectOption('From the oldest record');
  await rowCount(page, 4);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await rowCount(page, 1);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Show changes with this key or attribute' }).fill('PEAR');
  await rowCount(page, 2);
  await rowsOf(page).getByRole('button').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('heading', { name: 'id = pear' }).waitFor();
  assert.equal(await rowsOf(page).nth(1).getByRole('button').getAttribute('aria-current'), 'true');
  await page.getByRole('button', { name: 'Clear' }).click();
  await rowCount(page, 0);
  await page.done();
});

test('a table without a stream is offered one', async () => {
  await makeTable('stream-none', { hash: ['id', 'S'] });
  const page = await openPage('tables/stream-none/stream');
  await page.getByRole('button', { name: 'Enable with new and old images' }).click();
  await page.getByText(/Reading \d+ shard/).waitFor();
  await put('stream-none', { id: { S: 'a' } });
  await rowCount(page, 1);
  await page.done();
});

test('a stream of keys says what it does not carry', async () => {
  await makeTable('stream-keys', { hash: ['id', 'S'] }, { StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } });
  const page = await watch('stream-keys');
  await put('stream-keys', { id: { S: 'a' }, n: { N: '1' } });
  await page.getByText('The view type of this stream is KEYS_ONLY.').waitFor();
  await page.done();
});

test('a stream that is switched off is read to its end', async () => {
  await makeTable('stream-off', { hash: ['id', 'S'] }, kBoth);
  await put('stream-off', { id: { S: 'a' } });
  await call('UpdateTable', { TableName: 'stream-off', StreamSpecification: { StreamEnabled: false } });
  const page = await openPage('tables/stream-off/stream?from=TRIM_HORIZON');
  await rowCount(page, 1);
  await page.getByText('The stream is disabled, and the page has read all of its records.').waitFor();
  await page.done();
});

test('many changes at once leave the page small', async () => {
  await makeTable('stream-many', { hash: ['id', 'S'] }, kBoth);
  const page = await watch('stream-many');
  for (let batch = 0; batch < 40; ++batch) {
    const requests = Array.from({ length: 25 }, (_, at) => ({ PutRequest: { Item: { id: { S: `${batch}-${at}` } } } }));
    await call('BatchWriteItem', { RequestItems: { 'stream-many': requests } });
  }
  await page.getByText('1,000 changes').waitFor();
  await rowCount(page, 200);
  await page.getByText('The list shows the newest 200 changes.').waitFor();
  await page.getByRole('searchbox', { name: 'Show changes with this key or attribute' }).fill('id = 0-7');
  await rowsOf(page).getByRole('button', { name: '0-7', exact: true }).waitFor();
  await page.done();
});

/** The next GetRecords of the page is answered with an error. */
async function failOnce(page, type) {
  let failed = false;
  await page.route('**/', async (route) => {
    const target = route.request().headers()['x-amz-target'] ?? '';
    if (failed || !target.endsWith('.GetRecords')) return route.fallback();
    failed = true;
    return route.fulfill({ status: 400, contentType: 'application/x-amz-json-1.0', body: JSON.stringify({ __type: `x#${type}`, message: type }) });
  });
  await page.waitForResponse((response) => response.status() === 400);
}

test('iterators that expire, records that were trimmed and throttling are lived with', async () => {
  await makeTable('stream-faults', { hash: ['id', 'S'] }, kBoth);
  await put('stream-faults', { id: { S: 'before' } });
  const page = await watch('stream-faults', '?from=TRIM_HORIZON');
  await rowCount(page, 1);
  for (const [at, type] of ['ExpiredIteratorException', 'ThrottlingException'].entries()) {
    await failOnce(page, type);
    await put('stream-faults', { id: { S: `item${at}` } });
    await rowsOf(page).getByRole('button', { name: `item${at}` }).waitFor();
  }
  await failOnce(page, 'TrimmedDataAccessException');
  await page.getByText('The list lacks changes.').waitFor();
  await page.done();
});

test('a table that is deleted ends the stream calmly', async () => {
  await makeTable('stream-gone', { hash: ['id', 'S'] }, kBoth);
  const page = await watch('stream-gone');
  await page.route('**/', (route) => {
    const target = route.request().headers()['x-amz-target'] ?? '';
    if (!target.startsWith('DynamoDBStreams')) return route.fallback();
    return route.fulfill({ status: 400, contentType: 'application/x-amz-json-1.0', body: JSON.stringify({ __type: 'x#ResourceNotFoundException', message: 'gone' }) });
  });
  await page.getByText('The stream no longer exists').waitFor();
  await page.done();
});
