// Tables: the list, making one, its overview, every change of it, and its end.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { call, checkHarmless, closeBrowser, makeTable, openPage } from './page.mjs';

after(closeBrowser);

async function describe(name) {
  return (await call('DescribeTable', { TableName: name })).Table;
}

// Makes the change that a dialog is for, and waits until it is done.
async function change(page, button, fill, save = 'Save') {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await fill(dialog);
  await dialog.getByRole('button', { name: save }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a table with everything is made by its form', async () => {
  await call('DeleteTable', { TableName: 'rooms-made' }).catch(() => {});
  const page = await openPage('create');
  await page.getByLabel('Table name').fill('rooms-made');
  await page.getByLabel('Partition key', { exact: true }).and(page.locator('input')).fill('customer');
  await page.getByRole('button', { name: 'Add a sort key' }).click();
  await page.getByLabel('Sort key', { exact: true }).and(page.locator('input')).fill('placed');
  await page.getByLabel('Type of the sort key').selectOption('N');
  await page.getByRole('button', { name: 'Add a global index' }).click();
  const index = page.getByRole('group', { name: 'Global index' });
  await index.getByLabel('Name').fill('byStatus');
  await index.getByLabel('Partition key', { exact: true }).and(page.locator('input')).fill('status');
  await index.getByLabel('Projection').selectOption('INCLUDE');
  await index.getByLabel('Attributes').fill('total\nnote');
  await page.getByRole('button', { name: 'Add a local index' }).click();
  const local = page.getByRole('group', { name: 'Local index' });
  await local.getByLabel('Name').fill('ownStatus');
  await local.getByLabel('Sort key', { exact: true }).and(page.locator('input')).fill('status');
  await page.getByLabel('Capacity').selectOption('PROVISIONED');
  await page.getByRole('group', { name: 'Global index' }).getByLabel('Read units').fill('3');
  await page.getByLabel('Stream').selectOption('NEW_IMAGE');
  await page.getByLabel('Time to live').fill('expires');
  await page.getByRole('button', { name: 'Add a tag' }).click();
  await page.getByLabel('Tag key').fill('team');
  await page.getByLabel('Tag value').fill('shop');
  await page.getByRole('tab', { name: 'AWS CLI' }).click();
  await page.getByText('aws dynamodb create-table').waitFor();
  await page.getByRole('button', { name: 'Create the table' }).click();
  await page.waitForURL(/#\/tables\/rooms-made$/);
  await page.getByRole('heading', { name: 'rooms-made' }).waitFor();

  const table = await describe('rooms-made');
  assert.deepEqual(table.KeySchema.map((key) => key.AttributeName), ['customer', 'placed']);
  assert.deepEqual(table.GlobalSecondaryIndexes[0].Projection.NonKeyAttributes.sort(), ['note', 'total']);
  assert.equal(table.GlobalSecondaryIndexes[0].ProvisionedThroughput.ReadCapacityUnits, 3);
  assert.equal(table.LocalSecondaryIndexes[0].IndexName, 'ownStatus');
  assert.equal(table.StreamSpecification.StreamViewType, 'NEW_IMAGE');
  assert.deepEqual((await call('ListTagsOfResource', { ResourceArn: table.TableArn })).Tags, [{ Key: 'team', Value: 'shop' }]);
  const { TimeToLiveDescription: ttl } = await call('DescribeTimeToLive', { TableName: 'rooms-made' });
  assert.equal(ttl.AttributeName, 'expires');
  await page.done();
});

test('what DynamoDB refuses is told in its words, and the form stays', async () => {
  const page = await openPage('create');
  await page.getByLabel('Table name').fill('no');
  await page.getByLabel('Partition key', { exact: true }).and(page.locator('input')).fill('id');
  await page.getByRole('button', { name: 'Create the table' }).click();
  await page.locator('main .error').getByText('ValidationException').waitFor();
  assert.equal(await page.getByLabel('Table name').inputValue(), 'no');
  await page.done();
});

const saveSettings = (page, fill) => change(page, 'Edit settings', fill);

test('settings are changed in one dialog', async () => {
  await makeTable('rooms-changed', { hash: ['id', 'S'] });
  const page = await openPage('tables/rooms-changed');
  const settings = page.getByRole('region', { name: 'Settings' });
  await saveSettings(page, async (dialog) => {
    await dialog.getByLabel('Stream').selectOption('KEYS_ONLY');
    await dialog.getByLabel('Enable time to live').check();
    await dialog.getByLabel('Time to live attribute').fill('expires');
    await dialog.getByLabel('Deletion protection').check();
    await dialog.getByLabel('Point-in-time recovery').check();
    await dialog.getByLabel('Table class').selectOption('STANDARD_INFREQUENT_ACCESS');
    await dialog.getByLabel('Capacity').and(page.locator('select')).selectOption('PROVISIONED');
    await dialog.getByLabel('Read units', { exact: true }).fill('11');
    await dialog.getByRole('button', { name: 'Add a tag' }).click();
    await dialog.getByLabel('Tag key').fill('a');
    await dialog.getByLabel('Tag value').fill('b');
  });
  await settings.getByText('Provisioned: 11 read, 5 write').waitFor();
  await settings.getByText('Standard, infrequent access').waitFor();
  await settings.getByRole('link', { name: 'Keys only' }).waitFor();
  await settings.getByText('expires', { exact: true }).waitFor();
  await settings.getByText('On, 35 days').waitFor();
  await page.getByText('a: b').waitFor();
  await saveSettings(page, async (dialog) => {
    await dialog.getByLabel('Stream').selectOption('OLD_IMAGE');
    await dialog.getByRole('button', { name: 'Remove the tag' }).click();
  });
  await settings.getByRole('link', { name: 'Old image' }).waitFor();
  await page.getByRole('region', { name: 'Tags' }).getByText('None.').waitFor();

  const table = await describe('rooms-changed');
  assert.equal(table.StreamSpecification.StreamViewType, 'OLD_IMAGE');
  assert.equal(table.DeletionProtectionEnabled, true);
  assert.equal(table.TableClassSummary.TableClass, 'STANDARD_INFREQUENT_ACCESS');
  assert.equal(table.ProvisionedThroughput.ReadCapacityUnits, 11);
  await page.done();
});

test('settings send only what was changed, and again only what was not saved', async () => {
  await makeTable('rooms-refused', { hash: ['id', 'S'] });
  const page = await openPage('tables/rooms-refused');
  const sent = [];
  page.on('request', (request) => {
    const operation = request.headers()['x-amz-target']?.split('.').pop();
    if (/^(Update|Tag|Untag)/.test(operation ?? '')) sent.push([operation, Object.keys(request.postDataJSON()).filter((name) => name !== 'TableName').join()]);
  });
  await saveSettings(page, () => {});
  assert.deepEqual(sent, []);
  await page.getByRole('button', { name: 'Edit settings' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Deletion protection').check();
  await dialog.getByRole('button', { name: 'Add a tag' }).click();
  await dialog.getByLabel('Tag key').fill('aws:refused');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('.error').getByText('ValidationException').waitFor();
  assert.deepEqual(sent, [['UpdateTable', 'DeletionProtectionEnabled'], ['TagResource', 'ResourceArn,Tags']]);
  await dialog.getByLabel('Tag key').fill('taken');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(sent.slice(2), [['TagResource', 'ResourceArn,Tags']]);
  await page.getByText('taken:').waitFor();
  // What was saved before a refusal shows, though the dialog is left.
  await page.getByRole('button', { name: 'Edit settings' }).click();
  await dialog.getByLabel('Deletion protection').uncheck();
  await dialog.getByLabel('Tag key').fill('aws:refused');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('.error').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('dt:text-is("Deletion protection") + dd:text-is("Off")').waitFor();
  await page.done();
});

test('the overview has cards of equal width, one button for its settings, and whole identifiers', async () => {
  await makeTable('rooms-overview', { hash: ['id', 'S'], range: ['at', 'N'] }, {
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  });
  const { TableArn, LatestStreamArn } = await describe('rooms-overview');
  for (const width of [1440, 1024, 900, 420]) {
    const page = await openPage('tables/rooms-overview', { viewport: { width, height: 900 } });
    await page.getByRole('button', { name: 'Edit settings' }).waitFor();
    assert.equal(await page.locator('main').getByRole('button', { name: /^Change/ }).count(), 0);
    const box = async (name) => page.getByRole('region', { name, exact: true }).boundingBox();
    const [keys, identifiers, indexes, settings] = await Promise.all(['Keys', 'Identifiers', 'Indexes', 'Settings'].map(box));
    assert.ok(Math.abs(keys.width - identifiers.width) < 1, `${keys.width} and ${identifiers.width} at ${width}`);
    assert.ok(Math.abs(indexes.width - settings.width) < 1 && Math.abs(keys.x - indexes.x) < 1, `edges at ${width}`);
    for (const arn of [TableArn, LatestStreamArn]) {
      const code = page.locator('main code', { hasText: new RegExp(`^${arn}$`) });
      const { height } = await code.boundingBox();
      assert.ok(height < 24, `${arn} is broken at ${width}: ${height}`);
      assert.equal(await code.getAttribute('title'), arn);
    }
    await page.done();
  }
});

test('the list says what a table has, and no state of one that is active', async () => {
  await makeTable('rooms-features', { hash: ['id', 'S'] }, {
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' }, DeletionProtectionEnabled: true,
  });
  await makeTable('rooms-plain', { hash: ['id', 'S'] });
  const page = await openPage('tables');
  const row = (name) => page.locator('main').getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  await row('rooms-features').getByText('Protected').waitFor();
  const heads = await page.locator('main thead th').allInnerTexts();
  assert.deepEqual(heads.map((text) => text.trim().replace(/[↑↓]/, '')), ['Table', 'Keys', 'Items', 'Size', 'Indexes', 'Capacity', 'Features', 'Actions']);
  assert.deepEqual(await row('rooms-features').locator('.badge').allInnerTexts(), ['Stream', 'Protected']);
  assert.deepEqual(await row('rooms-plain').locator('.badge').allInnerTexts(), []);
  await page.route((url) => url.pathname === '/', async (route) => {
    if (!route.request().headers()['x-amz-target']?.endsWith('.DescribeTable')) return route.continue();
    const response = await route.fetch();
    const { Table } = await response.json();
    return route.fulfill({ response, json: { Table: { ...Table, TableStatus: 'CREATING' } } });
  });
  await page.reload();
  await row('rooms-plain').getByText('CREATING').waitFor();
  await row('rooms-plain').getByRole('link', { name: 'Overview of rooms-plain' }).click();
  await page.waitForURL(/#\/tables\/rooms-plain$/);
  await page.done();
});

test('an index is added, deleted and made again', async () => {
  await makeTable('rooms-indexed', { hash: ['id', 'S'] });
  const page = await openPage('tables/rooms-indexed');
  await change(page, 'Add a global index', async (dialog) => {
    await dialog.getByLabel('Name').fill('byMany');
    await dialog.getByLabel('Partition key', { exact: true }).and(page.locator('input')).fill('a');
    await dialog.getByRole('button', { name: 'Add a sort key' }).click();
    await dialog.getByLabel('Sort key', { exact: true }).and(page.locator('input')).fill('b');
    await dialog.getByRole('button', { name: 'Add an attribute' }).last().click();
    await dialog.getByLabel('Sort key', { exact: true }).and(page.locator('input')).last().fill('c');
    await dialog.getByLabel('Type of the sort key').last().selectOption('N');
  }, 'Add the index');
  await page.getByRole('link', { name: 'byMany' }).waitFor();
  await page.getByRole('cell', { name: 'a S, b S, c N' }).waitFor();
  await page.getByRole('button', { name: 'Delete the index byMany' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the index' }).click();
  await page.getByRole('link', { name: 'byMany' }).waitFor({ state: 'detached' });
  assert.equal((await describe('rooms-indexed')).GlobalSecondaryIndexes, undefined);
  await page.getByRole('button', { name: 'Create it again' }).click();
  await page.getByText('byMany is created again.').waitFor();
  assert.equal((await describe('rooms-indexed')).GlobalSecondaryIndexes[0].KeySchema.length, 3);
  await page.done();
});

test('a table with items is deleted when its name is written', async () => {
  await makeTable('rooms-deleted', { hash: ['id', 'S'] });
  await call('PutItem', { TableName: 'rooms-deleted', Item: { id: { S: 'a' } } });
  const page = await openPage('tables/rooms-deleted');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete the table' });
  assert.equal(await confirm.isDisabled(), true);
  await page.keyboard.type('rooms-deleted');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/tables$/);
  await page.getByText('rooms-deleted is deleted.').waitFor();
  const { TableNames } = await call('ListTables');
  assert.equal(TableNames.includes('rooms-deleted'), false);
  await page.done();
});

test('a dialog is left with its table', async () => {
  await makeTable('rooms-asked', { hash: ['id', 'S'] });
  await makeTable('rooms-other', { hash: ['id', 'S'] });
  const page = await openPage('tables/rooms-other');
  await page.getByRole('heading', { name: 'rooms-other' }).waitFor();
  const leaving = [
    () => page.evaluate(() => { location.hash = '#/tables/rooms-other'; }),
    () => page.goBack(),
  ];
  for (const leave of leaving) {
    await page.goto(page.url().replace(/#.*/, '#/tables/rooms-asked'));
    await page.getByRole('heading', { name: 'rooms-asked' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the table' }).waitFor();
    await leave();
    await page.getByRole('heading', { name: 'rooms-other' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  assert.equal((await describe('rooms-asked')).TableStatus, 'ACTIVE');
  await page.done();
});

const kVector = {
  IndexName: 'byMeaning',
  VectorAttribute: { AttributeName: 'embedding' },
  SearchSchema: [{ AttributeName: 'tenant', SearchSchemaElementType: 'HASH' }],
  Projection: { ProjectionType: 'KEYS_ONLY' },
  Dimensions: 3,
  DistanceFunction: 'COSINE',
};

test('vector indexes are shown, copied and duplicated', async () => {
  await makeTable('rooms-vectors', { hash: ['id', 'S'] }, {
    AttributeDefinitions: [{ AttributeName: 'tenant', AttributeType: 'S' }], VectorIndexes: [kVector],
  });
  const page = await openPage('tables');
  const row = page.locator('main tr').filter({ hasText: 'rooms-vectors' });
  await row.getByText('id S').waitFor();
  assert.equal(await row.locator('td').nth(4).textContent(), '1');
  await page.goto(page.url().replace(/#.*/, '#/tables/rooms-vectors'));
  const indexes = page.getByRole('region', { name: 'Indexes' });
  await indexes.getByRole('cell', { name: 'embedding, 3 dimensions, COSINE; tenant S' }).waitFor();
  await page.getByRole('button', { name: 'Copy as …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'CloudFormation' }).click();
  await dialog.getByText('VectorIndexes:').waitFor();
  assert.equal(await dialog.getByText('This output does not include').count(), 0);
  await dialog.getByRole('tab', { name: 'Terraform' }).click();
  await dialog.getByText('This output does not include the vector indexes (byMeaning).').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('group', { name: 'Vector index' }).getByText('byMeaning').waitFor();
  await call('DeleteTable', { TableName: 'rooms-vectors-copy' }).catch(() => {});
  await page.getByRole('button', { name: 'Create the table' }).click();
  await page.waitForURL(/#\/tables\/rooms-vectors-copy$/);
  const [copied] = (await describe('rooms-vectors-copy')).VectorIndexes;
  for (const [member, value] of Object.entries(kVector)) assert.deepEqual(copied[member], value, member);
  await page.done();
});

test('replicas and policies are shown, and what a copy has not is named', async () => {
  await makeTable('rooms-global', { hash: ['id', 'S'] });
  const { TableArn } = await describe('rooms-global');
  await call('PutResourcePolicy', {
    ResourceArn: TableArn,
    Policy: JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::111122223333:root' }, Action: 'dynamodb:GetItem', Resource: TableArn }],
    }),
  });
  const page = await openPage('tables');
  // This server has tables of one region.
  await page.route((url) => url.pathname === '/', async (route) => {
    if (!route.request().headers()['x-amz-target']?.endsWith('.DescribeTable')) return route.continue();
    const response = await route.fetch();
    const { Table } = await response.json();
    const Replicas = [{ RegionName: 'eu-west-1', ReplicaStatus: 'ACTIVE' }, { RegionName: 'eu-west-2', ReplicaStatus: 'CREATING' }];
    const GlobalTableWitnesses = [{ RegionName: 'eu-west-3', WitnessStatus: 'ACTIVE' }];
    return route.fulfill({ response, json: { Table: { ...Table, Replicas, GlobalTableWitnesses, DisassociationProtectionEnabled: true } } });
  });
  await page.goto(page.url().replace(/#.*/, '#/tables/rooms-global'));
  const replicas = page.getByRole('region', { name: 'Replicas' });
  for (const text of ['eu-west-1 replica active', 'eu-west-2 replica creating', 'eu-west-3 witness active']) {
    await replicas.getByRole('row', { name: text }).waitFor();
  }
  await replicas.locator('dt:text-is("Disassociation protection") + dd:text-is("On")').waitFor();
  await page.getByRole('region', { name: 'Settings' }).getByText('Attached').waitFor();
  const besides = 'the replicas (eu-west-1, eu-west-2), the witness (eu-west-3), disassociation protection, the resource policy';
  await page.getByRole('button', { name: 'Copy as …' }).click();
  for (const name of ['CloudFormation', 'Terraform', 'AWS CLI', 'JSON']) {
    await page.getByRole('dialog').getByRole('tab', { name, exact: true }).click();
    await page.getByRole('dialog').getByText(`This output does not include ${besides}.`).waitFor();
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByText(`The copy does not include ${besides}.`).waitFor();
  await page.done();
});

test('a table is copied for other tools, and duplicated', async () => {
  await makeTable('rooms-copied', { hash: ['id', 'S'], range: ['at', 'N'] });
  const page = await openPage('tables/rooms-copied');
  await page.getByRole('button', { name: 'Copy as …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('AWS::DynamoDB::Table').waitFor();
  await dialog.getByRole('tab', { name: 'Terraform' }).click();
  await dialog.getByText('resource "aws_dynamodb_table" "rooms_copied"').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.waitForFunction(() => document.querySelector('main input')?.value === 'rooms-copied-copy');
  await call('DeleteTable', { TableName: 'rooms-copied-copy' }).catch(() => {});
  await page.getByRole('button', { name: 'Create the table' }).click();
  await page.waitForURL(/#\/tables\/rooms-copied-copy$/);
  assert.deepEqual((await describe('rooms-copied-copy')).KeySchema, (await describe('rooms-copied')).KeySchema);
  await page.done();
});

test('the list is sorted', async () => {
  await makeTable('rooms-listed', { hash: ['id', 'S'] });
  await call('PutItem', { TableName: 'rooms-listed', Item: { id: { S: 'a' } } });
  const page = await openPage('tables');
  await page.locator('main').getByRole('link', { name: 'rooms-listed', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Items' }).click();
  await page.waitForFunction(() => document.querySelector('main th[aria-sort=descending]')?.textContent === 'Items');
  await page.done();
});

test('keys and tags with HTML are text', async () => {
  const name = '"><img src=x onerror=alert(1)>';
  await makeTable('rooms-hostile', { hash: [name, 'S'] }, {
    AttributeDefinitions: [{ AttributeName: '${alert(1)}', AttributeType: 'S' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'index', KeySchema: [{ AttributeName: '${alert(1)}', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['<script>alert(1)</script>'] },
    }],
  });
  await call('UpdateTimeToLive', {
    TableName: 'rooms-hostile', TimeToLiveSpecification: { Enabled: true, AttributeName: '<svg onload=alert(1)>' },
  });
  const page = await openPage('tables/rooms-hostile');
  await page.getByRole('cell', { name, exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy as …' }).click();
  await page.getByRole('dialog').getByRole('tab', { name: 'JSON' }).click();
  await checkHarmless(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'Copy of rooms-hostile' }).waitFor();
  await checkHarmless(page);
  await page.done();
});
