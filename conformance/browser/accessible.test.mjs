// Every room, light and dark, by the rules of axe.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findBarriers, kForAxe } from './axe.mjs';
import { call, closeBrowser, makeTable, openPage } from './page.mjs';

const kTable = 'accessible';
const kPlaces = [
  'tables', 'create', `create?from=${kTable}`, `tables/${kTable}`, `tables/${kTable}/items`, `tables/${kTable}/stream`,
  'partiql', 'journal', 'charts', 'namespaces', 'dials', 'no/such/place',
];

before(async () => {
  await makeTable(kTable, { hash: ['id', 'S'], range: ['at', 'N'] }, {
    AttributeDefinitions: [{ AttributeName: 'status', AttributeType: 'S' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'byStatus', KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' },
    }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    Tags: [{ Key: 'team', Value: 'shop' }],
  });
  for (const [id, at, status] of [['a', '1', 'new'], ['b', '2', 'paid'], ['b', '3', 'new']]) {
    const Item = { id: { S: id }, at: { N: at }, status: { S: status }, nested: { M: { list: { L: [{ BOOL: true }, { NULL: true }] } } } };
    await call('PutItem', { TableName: kTable, Item });
  }
});

after(closeBrowser);

for (const colorScheme of ['light', 'dark']) {
  for (const place of kPlaces) {
    test(`${place}, ${colorScheme}`, async () => {
      const page = await openPage(place, { colorScheme, ...kForAxe });
      await page.locator('main > *').first().waitFor();
      await page.waitForTimeout(300);
      assert.deepEqual(await findBarriers(page), []);
      await page.done();
    });
  }
}

test('dialogs', async () => {
  const page = await openPage(`tables/${kTable}`, kForAxe);
  for (const name of ['Connection', 'Keyboard', 'Copy as …', 'Add a global index', 'Change the capacity', 'Change the tags', 'Delete']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await findBarriers(page), [], name);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.done();
});
