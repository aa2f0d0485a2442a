// The rooms of the stream, the requests and the test controls with what they show, light and dark, by the rules of axe.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { findBarriers, kForAxe } from './axe.mjs';
import { control, skipWithout } from './control.mjs';
import { call, closeBrowser, makeTable, openPage } from './page.mjs';

after(closeBrowser);

const kMain = '/_/namespaces/main';
const noJournal = await skipWithout(`${kMain}/journal?limit=1`);
const noFaults = await skipWithout(`${kMain}/faults`);
const noNamespaces = await skipWithout('/_/namespaces');
const noStatistics = await skipWithout('/_/statistics');

for (const colorScheme of ['light', 'dark']) {
  const options = { colorScheme, ...kForAxe };

  test(`a change with both images, ${colorScheme}`, async () => {
    const table = `accessible-${colorScheme}`;
    await makeTable(table, { hash: ['id', 'S'] }, { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } });
    const put = (item) => call('PutItem', { TableName: table, Item: { id: { S: 'a' }, ...item } });
    await put({ a: { S: 'one two' }, gone: { N: '1' }, set: { SS: ['x', 'y'] }, same: { S: 's' } });
    await put({ a: { S: 'one three' }, came: { N: '1' }, set: { SS: ['x', 'z'] }, same: { S: 's' } });
    await call('DeleteItem', { TableName: table, Key: { id: { S: 'a' } } });
    const page = await openPage(`tables/${table}/stream?from=TRIM_HORIZON`, options);
    await page.getByRole('button', { name: 'Restore the item' }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.locator('.changes tbody tr').nth(1).click();
    await page.getByText('2 unchanged values').click();
    assert.deepEqual(await findBarriers(page), []);
    await page.done();
  });

  test(`a request and the assertions, ${colorScheme}`, { skip: noJournal }, async () => {
    await control('PUT', `${kMain}/journal`, { on: true });
    const page = await openPage('requests', options);
    const TableName = `accessible-none-${colorScheme}`;
    await assert.rejects(call('DescribeTable', { TableName }));
    await page.locator('.records tbody tr').filter({ hasText: TableName }).click();
    await page.getByText('Request ID').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    for (const name of ['Assertions', 'Settings']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await control('PUT', `${kMain}/journal`, { on: false });
    await page.done();
  });

  test(`charts with lines and tables, ${colorScheme}`, { skip: noStatistics }, async () => {
    const page = await openPage('charts', options);
    await page.locator('.chart path.line').first().waitFor({ state: 'attached' });
    for (const summary of await page.locator('.chart-table summary').filter({ visible: true }).all()) await summary.click();
    assert.deepEqual(await findBarriers(page), []);
    await page.done();
  });

  test(`rules of faults and their form, ${colorScheme}`, { skip: noFaults }, async () => {
    const { body } = await control('POST', `${kMain}/faults`, { operations: ['GetItem'], table: 'none', count: 1, fault: { error: 'ThrottlingException' } });
    const page = await openPage('controls', options);
    await page.getByText('GetItem on none fails with').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await control('DELETE', `${kMain}/faults/${body.id}`);
    await page.done();
  });

  test(`forms of namespaces, ${colorScheme}`, { skip: noNamespaces }, async () => {
    const page = await openPage('namespaces', options);
    await page.getByRole('button', { name: 'New namespace' }).click();
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.done();
  });
}
