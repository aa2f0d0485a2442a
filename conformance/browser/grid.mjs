// What tests of the grid of items share.

import { call } from './page.mjs';

export async function fill(table, items) {
  for (let at = 0; at < items.length; at += 25) {
    await call('BatchWriteItem', { RequestItems: { [table]: items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } })) } });
  }
}

export const rows = (page) => page.locator('.items-grid tbody tr');
export const panel = (page) => page.getByRole('region', { name: 'Item', exact: true });

/** Waits until a grid with this many rows stands. A grid that is busy does not count: the answer will replace its cells. */
export const waitForRows = (page, count) => page.waitForFunction(
  (wanted) => !document.querySelector('.grid-area[aria-busy]')
    && document.querySelectorAll('.items-grid tbody tr').length === wanted, count);

/** The cell of an attribute, in the row that has `text`. */
export const cell = (page, text, name) => rows(page).filter({ has: page.getByText(text, { exact: true }) }).locator(`td[data-name="${name}"]`);
export const editor = (page) => page.locator('.cell-editor :is(input, textarea, select)');

/** What a column shows, from top to bottom. */
export const column = (page, name) => page.locator(`.items-grid td[data-name="${name}"]`).allTextContents();

/** Types `text` into a cell by keys alone: the change is not saved yet. */
export async function editCell(page, row, name, text) {
  await cell(page, row, name).focus();
  await page.keyboard.press('Enter');
  await editor(page).fill(text);
  await page.keyboard.press('Enter');
  await page.locator('.cell-editor').waitFor({ state: 'detached' });
}

/** The same by the mouse. The page's clock stands, so that the first click does not open the item however late the second comes. */
export async function doubleClickCell(page, row, name) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await cell(page, row, name).dblclick({ position: { x: 3, y: 8 } });
  await editor(page).waitFor();
  await page.clock.resume();
}
