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
  await page.getByLabel('Key of the tag').fill('team');
  await page.getByLabel('Value of the tag').fill('shop');
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

test('settings are changed, each by its dialog', async () => {
  await makeTable('rooms-changed', { hash: ['id', 'S'] });
  const page = await openPage('tables/rooms-changed');
  await change(page, 'Change the stream', (dialog) => dialog.getByLabel('Records have').selectOption('KEYS_ONLY'));
  await page.getByRole('link', { name: 'keys only' }).waitFor();
  await change(page, 'Change the stream', (dialog) => dialog.getByLabel('Records have').selectOption('OLD_IMAGE'));
  await page.getByRole('link', { name: 'old image' }).waitFor();
  await change(page, 'Change the time to live', async (dialog) => {
    await dialog.getByLabel('Items expire').check();
    await dialog.getByLabel('Attribute').fill('expires');
  });
  await page.locator('main').getByText('expires').waitFor();
  await change(page, 'Change the protection', (dialog) => dialog.getByLabel('Refuse to delete').check());
  await page.getByText('the table cannot be deleted').waitFor();
  await change(page, 'Change the class', (dialog) => dialog.getByLabel('Class').selectOption('STANDARD_INFREQUENT_ACCESS'));
  await page.getByText('standard, infrequent access').waitFor();
  await change(page, 'Change the recovery', (dialog) => dialog.getByLabel('Recovery to any').check());
  await page.getByText('to any time of 35 days').waitFor();
  await change(page, 'Change the capacity', async (dialog) => {
    await dialog.getByLabel('Capacity').selectOption('PROVISIONED');
    await dialog.getByLabel('Read units', { exact: true }).fill('11');
  });
  await page.getByText('provisioned: 11 read, 5 write').waitFor();
  await change(page, 'Change the tags', async (dialog) => {
    await dialog.getByRole('button', { name: 'Add a tag' }).click();
    await dialog.getByLabel('Key of the tag').fill('a');
    await dialog.getByLabel('Value of the tag').fill('b');
  });
  await page.getByText('a: b').waitFor();
  await change(page, 'Change the tags', (dialog) => dialog.getByRole('button', { name: 'Remove the tag' }).click());
  await page.getByRole('region', { name: 'Tags' }).getByText('None.').waitFor();

  const table = await describe('rooms-changed');
  assert.equal(table.StreamSpecification.StreamViewType, 'OLD_IMAGE');
  assert.equal(table.DeletionProtectionEnabled, true);
  assert.equal(table.TableClassSummary.TableClass, 'STANDARD_INFREQUENT_ACCESS');
  assert.equal(table.ProvisionedThroughput.ReadCapacityUnits, 11);
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
  await page.getByRole('button', { name: 'Make it again' }).click();
  await page.getByText('byMany is made again.').waitFor();
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
  await indexes.getByRole('cell', { name: 'embedding, 3 numbers by COSINE; tenant S' }).waitFor();
  await page.getByRole('button', { name: 'Copy as …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'CloudFormation' }).click();
  await dialog.getByText('VectorIndexes:').waitFor();
  assert.equal(await dialog.getByText('Left out here').count(), 0);
  await dialog.getByRole('tab', { name: 'Terraform' }).click();
  await dialog.getByText('Left out here: the vector indexes (byMeaning).').waitFor();
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
  await replicas.getByText('protected against', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Settings' }).getByText('there is one').waitFor();
  const besides = 'the replicas (eu-west-1, eu-west-2), the witness (eu-west-3), the protection against disassociation, the resource policy';
  await page.getByRole('button', { name: 'Copy as …' }).click();
  for (const name of ['CloudFormation', 'Terraform', 'AWS CLI', 'JSON']) {
    await page.getByRole('dialog').getByRole('tab', { name, exact: true }).click();
    await page.getByRole('dialog').getByText(`Left out here: ${besides}.`).waitFor();
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByText(`The copy is without ${besides}.`).waitFor();
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
  await page.getByRole('heading', { name: 'Like rooms-hostile' }).waitFor();
  await checkHarmless(page);
  await page.done();
});

test('who has no tables is told how to begin, and can make an example', async () => {
  await call('DeleteTable', { TableName: 'Music' }).catch(() => {});
  const page = await openPage('no/place');
  const isList = (request) => request.headers()['x-amz-target']?.endsWith('.ListTables');
  await page.route('**/*', (route) => (
    isList(route.request()) ? route.fulfill({ json: { TableNames: [] } }) : route.fallback()));
  await page.goto(page.url().replace(/#.*/, '#/tables'));
  await page.getByText('There are no tables yet').waitFor();
  await page.getByRole('tab', { name: 'Python' }).click();
  await page.getByText('import boto3').waitFor();
  await page.unroute('**/*');
  await page.getByRole('button', { name: 'Make an example' }).click();
  await page.locator('main').getByRole('link', { name: 'Music', exact: true }).waitFor();
  assert.equal((await call('Scan', { TableName: 'Music', Select: 'COUNT' })).Count, 8);
  await page.done();
});
