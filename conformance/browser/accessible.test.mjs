// Every room, light and dark, by the rules of axe.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { findBarriers, kForAxe } from './axe.mjs';
import { call, closeBrowser, makeTable, openPage } from './page.mjs';

const kTable = 'accessible';
// With what each shows when all of it is there.
const kPlaces = {
  tables: [`main a:text-is("${kTable}")`],
  create: ['text=Table name'],
  [`create?from=${kTable}`]: ['role=group[name="Global index"]'],
  [`tables/${kTable}`]: ['main a:text-is("byStatus")', 'text=team'],
  [`tables/${kTable}/items`]: ['.items-grid tbody tr'],
  [`tables/${kTable}/stream`]: ['text=/Reading \\d+ shard/'],
  [`tables/${kTable}/insights`]: ['text=Most used partition keys', 'text="paid"'],
  template: ['main textarea'],
  help: ['text=Documentation'],
  partiql: ['main textarea'],
  requests: ['text=/\\d+ requests?/'],
  costs: ['text=Copy as Markdown', 'main h2'],
  charts: ['text=Operations since the server started'],
  namespaces: ['main table th:text("main")', 'text=Take a snapshot'],
  controls: ['text="Freeze"', 'text="Finish background work"', 'text="Apply"', 'text="Add a rule"'],
  'no/such/place': ['text=Page not found'],
};

before(async () => {
  await makeTable(kTable, { hash: ['id', 'S'], range: ['at', 'N'] }, {
    AttributeDefinitions: [{ AttributeName: 'status', AttributeType: 'S' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'byStatus', KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' },
    }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    Tags: [{ Key: 'team', Value: 'shop' }],
  });
  for (const index of [{}, { IndexName: 'byStatus' }]) {
    await call('UpdateContributorInsights', { TableName: kTable, ContributorInsightsAction: 'ENABLE', ...index });
  }
  for (const [id, at, status] of [['a', '1', 'new'], ['b', '2', 'paid'], ['b', '3', 'new']]) {
    const Item = { id: { S: id }, at: { N: at }, status: { S: status }, nested: { M: { list: { L: [{ BOOL: true }, { NULL: true }] } } } };
    await call('PutItem', { TableName: kTable, Item });
  }
});

after(closeBrowser);

for (const colorScheme of ['light', 'dark']) {
  for (const [place, shown] of Object.entries(kPlaces)) {
    test(`${place}, ${colorScheme}`, async () => {
      const page = await openPage(place, { colorScheme, ...kForAxe });
      for (const each of shown) await page.locator(each).first().waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await page.done();
    });
  }
}

test('dialogs', async () => {
  const page = await openPage(`tables/${kTable}`, kForAxe);
  for (const name of ['Connection', 'Keyboard shortcuts', 'Copy as …', 'Add a global index', 'Edit settings', 'Delete']) {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog').waitFor();
    assert.deepEqual(await findBarriers(page), [], name);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.done();
});
