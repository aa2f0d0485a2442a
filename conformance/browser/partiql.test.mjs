// The room of PartiQL: completion, running, pages, opening what was found.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { waitForRows } from './grid.mjs';
import { call, checkHarmless, closeBrowser, hostileTexts, makeTable, openPage } from './page.mjs';

after(closeBrowser);

const editor = (page) => page.getByLabel('PartiQL statement');

async function makeSongs(table, count = 70) {
  await makeTable(table, { hash: ['artist', 'S'], range: ['song', 'S'] });
  for (let at = 0; at < count; at += 10) {
    await call('BatchWriteItem', { RequestItems: { [table]: Array.from({ length: 10 }, (_, n) => ({ PutRequest: { Item: { artist: { S: `a${at % 20}` }, song: { S: `s${at + n}` }, year: { N: String(1990 + n) } } } })) } });
  }
}

test('a statement is written with completion, and runs', async () => {
  await makeSongs('partiql-songs');
  const page = await openPage('partiql');
  await editor(page).waitFor();
  const complete = async (text, option) => {
    await page.keyboard.type(text);
    await page.getByRole('listbox').getByRole('option', { name: option }).first().waitFor();
    await page.keyboard.press('Tab');
  };
  await complete('sel', 'SELECT');
  await page.keyboard.type('* ');
  await complete('FR', 'FROM');
  await complete('partiql-so', 'partiql-songs');
  await complete('wh', 'WHERE');
  await complete('art', 'artist');
  await page.keyboard.type('= ? ');
  await complete('AN', 'AND');
  await complete('yea', 'year');
  await page.keyboard.type('> 1995');
  assert.equal(await editor(page).inputValue(), 'SELECT * FROM "partiql-songs" WHERE artist = ? AND year > 1995');
  await page.getByText('reads only items with this artist').waitFor();
  await page.getByLabel('Parameter 1', { exact: true }).fill('a10');
  await editor(page).focus();
  await page.keyboard.press('Control+Enter');
  await waitForRows(page, 12);
  assert.match(await page.locator('.items-status').textContent(), /^ExecuteStatement · 12 items read · /);
  await page.done();
});

test('pages follow each other, and a Scan is named before it runs', async () => {
  await makeSongs('partiql-pages');
  const page = await openPage(`partiql?statement=${encodeURIComponent('SELECT * FROM "partiql-pages"')}`);
  await page.getByText('no condition determines artist').waitFor();
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, 50);
  await page.getByRole('button', { name: 'Next' }).click();
  await waitForRows(page, 20);
  await page.getByRole('button', { name: 'Previous' }).click();
  await waitForRows(page, 50);
  await page.done();
});

test('an item that was found is opened and changed', async () => {
  await makeSongs('partiql-open', 10);
  const page = await openPage(`partiql?statement=${encodeURIComponent("SELECT artist, song FROM \"partiql-open\" WHERE artist = 'a0' AND song = 's3'")}`);
  await editor(page).waitFor();
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, 1);
  await page.locator('.items-grid tbody td').nth(2).click();
  await page.getByLabel('Value of year').fill('2001');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved.').waitFor();
  const { Item } = await call('GetItem', { TableName: 'partiql-open', Key: { artist: { S: 'a0' }, song: { S: 's3' } } });
  assert.deepEqual(Item.year, { N: '2001' });
  await page.done();
});

test('errors are told as the server says them, of several statements the one at the caret runs', async () => {
  await makeSongs('partiql-errors', 10);
  const page = await openPage();
  await page.goto(`${page.url()}#/partiql?statement=${encodeURIComponent('SELECT * FROM "no-such-table"; SELECT * FROM "partiql-errors"')}`);
  await editor(page).waitFor();
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, 10);
  await editor(page).focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Enter');
  await page.getByText('ResourceNotFoundException').waitFor();
  await page.done();
});

test('hostile names and values are text here too', async () => {
  await makeTable('partiql-hostile', { hash: ['id', 'S'] });
  for (const [index, text] of hostileTexts.entries()) await call('PutItem', { TableName: 'partiql-hostile', Item: { id: { S: `${index}` }, [text]: { S: text } } });
  const page = await openPage(`partiql?statement=${encodeURIComponent(`SELECT * FROM "partiql-hostile" -- ${hostileTexts[0]}`)}`);
  await editor(page).waitFor();
  await page.getByRole('button', { name: 'Run' }).click();
  await waitForRows(page, hostileTexts.length);
  await editor(page).fill('SELECT * FROM "partiql-hostile" WHERE ');
  await page.keyboard.press('Control+Space');
  await page.getByRole('listbox').getByRole('option').nth(5).waitFor();
  await checkHarmless(page);
  await page.done();
});
