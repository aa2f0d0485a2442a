// Many items at a time: deleting what is selected or matches, files in and out.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { fill, waitForRows } from './grid.mjs';
import { call, checkHarmless, closeBrowser, hostileTexts, makeTable, openPage } from './page.mjs';

after(closeBrowser);

const kFolder = mkdtempSync(join(tmpdir(), 'magneto-browser-'));
const kItems = [
  { id: { S: 'a' }, n: { N: '12345678901234567890123456789012345678' }, b: { B: 'AAEC' }, ss: { SS: ['x', 'y,"z'] }, t: { S: 'two\nlines' } },
  { id: { S: 'b' }, n: { S: 'text here' }, m: { M: { deep: { L: [{ NULL: true }, { BOOL: false }] } } } },
  ...hostileTexts.map((text, index) => ({ id: { S: `h${index}` }, [text]: { S: text } })),
];

const sorted = (items) => [...items].sort((a, b) => (a.id.S < b.id.S ? -1 : 1));
const all = async (TableName) => sorted((await call('Scan', { TableName })).Items);

async function makeNumbers(table, count) {
  await makeTable(table, { hash: ['id', 'S'] });
  await fill(table, Array.from({ length: count }, (_, n) => ({ id: { S: `i${n}` }, n: { N: String(n) } })));
}

test('what is selected is shown, deleted, and put back', async () => {
  await makeNumbers('many-selected', 30);
  const before = await all('many-selected');
  const page = await openPage('tables/many-selected/items');
  await waitForRows(page, 30);
  await page.getByLabel('Select item 2', { exact: true }).click();
  await page.getByLabel('Select item 16', { exact: true }).click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Delete 15 items' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 15 items?' });
  await dialog.getByText('and 5 others').waitFor();
  await dialog.getByText('The deletion consumes about 15 units.').waitFor();
  await dialog.getByRole('button', { name: 'Delete 15 items' }).click();
  await waitForRows(page, 15);
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitForRows(page, 30);
  assert.deepEqual(await all('many-selected'), before);
  await page.done();
});

test('all that match are counted, shown and deleted only when that number is written', async () => {
  await makeNumbers('many-match', 60);
  const filter = encodeURIComponent(JSON.stringify(['n', '<', 'N', '20']));
  const page = await openPage(`tables/many-match/items?filter=${filter}`);
  await waitForRows(page, 20);
  await page.getByRole('button', { name: 'Delete matching items' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete matching items' });
  const button = dialog.getByRole('button', { name: 'Delete 20 items' });
  await dialog.getByText('match and will be deleted').waitFor();
  assert.ok(await button.isDisabled());
  await dialog.getByLabel('Number of items').fill('20');
  await button.click();
  await page.getByText('20 items deleted.').waitFor();
  assert.equal((await all('many-match')).length, 40);
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitForRows(page, 20);
  assert.equal((await all('many-match')).length, 60);
  await page.done();
});

for (const [format, name, suffix] of [['json-typed', 'typed', 'jsonl'], ['csv', 'csv', 'csv']]) {
  test(`an export as ${name} is imported again as it was`, async () => {
    const table = `many-file-${name}`;
    await makeTable(table, { hash: ['id', 'S'] });
    await fill(table, kItems);
    const before = await all(table);
    const page = await openPage(`tables/${table}/items`);
    await waitForRows(page, kItems.length);
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Items').selectOption('all');
    await dialog.getByLabel('Format').selectOption(format);
    const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export' }).click()]);
    assert.equal(file.suggestedFilename(), `${table}.${suffix}`);
    const path = join(kFolder, `${table}.${suffix}`);
    await file.saveAs(path);
    await makeTable(table, { hash: ['id', 'S'] });
    await page.getByRole('button', { name: 'Import' }).click();
    const into = page.getByRole('dialog');
    await into.getByLabel('File').setInputFiles(path);
    await into.getByRole('table').waitFor();
    assert.equal(await into.getByLabel('Format').inputValue(), format);
    await checkHarmless(page);
    await into.getByRole('button', { name: 'Import', exact: true }).click();
    await page.locator('#toasts').getByText(`${kItems.length} items written.`).waitFor();
    assert.deepEqual(await all(table), before);
    await page.done();
  });
}

test('plain JSON is refused for what it has no word for, and nothing is written', async () => {
  await makeTable('many-plain', { hash: ['id', 'S'] });
  await fill('many-plain', kItems.slice(0, 2));
  const page = await openPage('tables/many-plain/items');
  await waitForRows(page, 2);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByLabel('Format').selectOption('json-plain');
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await page.getByText('Plain JSON cannot represent the type of').waitFor();
  await page.done();
});

test('an import tells the lines that fail, keeps what is there when asked, and reads gzip', async () => {
  await makeTable('many-errors', { hash: ['id', 'S'] });
  await fill('many-errors', [{ id: { S: 'there' }, v: { N: '1' } }]);
  const lines = ['{"id":"there","v":2}', '{"id":"new","v":3}', '{"id":5}', '{"id":"x"', '{"v":1}', `{"id":"${'k'.repeat(2049)}"}`, '{"id":"last","big":12345678901234567890123456789012345678}'];
  const path = join(kFolder, 'errors.json.gz');
  writeFileSync(path, gzipSync(lines.join('\n')));
  const page = await openPage('tables/many-errors/items');
  await waitForRows(page, 1);
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('File').setInputFiles(path);
  await dialog.getByRole('table').waitFor();
  await dialog.getByLabel('Keep existing items').check();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('2 items written, 1 existing kept, 4 records failed.').waitFor();
  await dialog.getByText('Line 3: The key attribute id must be a string.').waitFor();
  await dialog.getByText('Line 5:').waitFor();
  assert.deepEqual(await all('many-errors'), [{ big: { N: '12345678901234567890123456789012345678' }, id: { S: 'last' } }, { id: { S: 'new' }, v: { N: '3' } }, { id: { S: 'there' }, v: { N: '1' } }]);
  await page.done();
});

test('a selection is exported alone', async () => {
  await makeNumbers('many-part', 5);
  const page = await openPage('tables/many-part/items');
  await waitForRows(page, 5);
  await page.getByLabel('Select item 1', { exact: true }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()]);
  const path = join(kFolder, 'part.jsonl');
  await file.saveAs(path);
  assert.match(readFileSync(path, 'utf8'), /^\{"id":\{"S":"i\d+"\},"n":\{"N":"\d+"\}\}\n$|^\{"n":\{"N":"\d+"\},"id":\{"S":"i\d+"\}\}\n$/);
  await page.done();
});

test('columns are chosen, and remembered', async () => {
  await makeNumbers('many-columns', 3);
  const page = await openPage('tables/many-columns/items');
  await waitForRows(page, 3);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByLabel('n', { exact: true }).uncheck();
  await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.items-grid th').length === 2);
  await page.reload();
  await waitForRows(page, 3);
  assert.equal(await page.locator('.items-grid th').count(), 2);
  await page.done();
});
