// A server without tables: its endpoint, and three ways to begin.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { findBarriers, kForAxe } from './axe.mjs';
import { call, closeBrowser, openPage } from './page.mjs';

after(closeBrowser);

const describe = async (name) => (await call('DescribeTable', { TableName: name })).Table;

// The page believes that the server has no tables.
async function withoutTables(page) {
  const isList = (request) => request.headers()['x-amz-target']?.endsWith('.ListTables');
  await page.route('**/*', (route) => (
    isList(route.request()) ? route.fulfill({ json: { TableNames: [] } }) : route.fallback()));
  await page.goto(page.url().replace(/#.*/, '#/tables'));
  await page.reload();  // or an answer that was under way would count
  await page.getByText('There are no tables yet').waitFor();
}

test('a server without tables shows its endpoint and how to connect, and makes an example', async () => {
  await call('DeleteTable', { TableName: 'Music' }).catch(() => {});
  const page = await openPage('no/place');
  await withoutTables(page);
  const ways = await page.locator('main .ways h2').allInnerTexts();
  assert.deepEqual(ways, ['New table', 'Paste a template', 'Connect your code']);
  await page.locator('main .first-head').getByText(new URL(page.url()).origin, { exact: true }).waitFor();
  await page.locator('main .first-head').getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied.').waitFor();
  const code = page.getByRole('region', { name: 'Connect your code' });
  const origin = new URL(page.url()).origin.replaceAll('.', '\\.');
  for (const [tab, sign] of [['AWS CLI', 'aws dynamodb list-tables'], ['Python', 'import boto3'], ['JavaScript', 'ListTablesCommand'], ['Java', 'ListTablesRequest'], ['Go', 'ListTablesInput'], ['Environment', 'AWS_ENDPOINT_URL_DYNAMODB']]) {
    await code.getByRole('tab', { name: tab, exact: true }).click();
    await code.locator('pre').filter({ hasText: sign }).filter({ hasText: new RegExp(origin) }).waitFor();
  }
  await page.unroute('**/*');
  await page.getByRole('button', { name: 'Create an example' }).click();
  await page.locator('main').getByRole('link', { name: 'Music', exact: true }).waitFor();
  assert.equal((await call('Scan', { TableName: 'Music', Select: 'COUNT' })).Count, 8);
  await page.done();
});

test('a pasted template makes its tables, and one that cannot be read says what does', async () => {
  for (const TableName of ['rooms-pasted', 'RoomsPastedToo']) await call('DeleteTable', { TableName }).catch(() => {});
  const page = await openPage('no/place');
  await withoutTables(page);
  const form = page.getByRole('region', { name: 'Paste a template' });
  const paste = async (text) => {
    await form.getByLabel('Template').fill(text);
    await form.getByRole('button', { name: 'Create tables' }).click();
  };
  await paste('Resources:\n  Orders:\n    Type: AWS::DynamoDB::Table\n');
  await form.getByText('This page reads JSON only.').waitFor();
  await form.getByRole('alert').getByText('--schema', { exact: true }).waitFor();
  await paste('{"TableName": "rooms-pasted", "KeySchema": []}');
  await form.locator('.error').getByText('ValidationException').waitFor();
  const keys = { AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] };
  await page.unroute('**/*');
  await paste(JSON.stringify({ Resources: {
    First: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'rooms-pasted', ...keys, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } } },
    RoomsPastedToo: { Type: 'AWS::DynamoDB::Table', Properties: { ...keys, StreamSpecification: { StreamViewType: 'KEYS_ONLY' } } },
    Bucket: { Type: 'AWS::S3::Bucket' },
  } }));
  await page.getByText('2 tables created: rooms-pasted, RoomsPastedToo.').waitFor();
  await page.locator('main').getByRole('link', { name: 'RoomsPastedToo', exact: true }).waitFor();
  assert.equal((await call('DescribeTimeToLive', { TableName: 'rooms-pasted' })).TimeToLiveDescription.AttributeName, 'until');
  assert.equal((await describe('RoomsPastedToo')).StreamSpecification.StreamViewType, 'KEYS_ONLY');
  await page.goto(page.url().replace(/#.*/, '#/create'));
  await page.getByRole('link', { name: 'Paste a template' }).click();
  await page.getByRole('heading', { name: 'Paste a template' }).waitFor();
  await page.done();
});

for (const colorScheme of ['light', 'dark']) {
  test(`the first screen bars nobody, ${colorScheme}`, async () => {
    const page = await openPage('no/place', { colorScheme, ...kForAxe });
    await withoutTables(page);
    assert.deepEqual(await findBarriers(page), []);
    await page.done();
  });
}
