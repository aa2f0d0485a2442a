// Every waiter that the SDK exports ends, with a server whose tables take their time (--control-plane-delay-ms).
// Versions before 2026 have only those of tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as dynamodb from '@aws-sdk/client-dynamodb';

const client = new dynamodb.DynamoDBClient({ maxAttempts: 1 });
const known = Object.keys(dynamodb).filter((name) => name.startsWith('waitUntil'));
const used = new Set();
const TableName = 'Slow';
const TableArn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
const stream = { TableName, StreamArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/changes' };
const lines = { InputFormat: 'DYNAMODB_JSON', InputCompressionType: 'GZIP' };
const table = {
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
};

const has = (waiter) => known.includes(`waitUntil${waiter}`);
const send = (name, input) => client.send(new dynamodb[`${name}Command`](input));

async function wait(waiter, input) {
  used.add(`waitUntil${waiter}`);
  const waiting = { client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 };
  assert.equal((await dynamodb[`waitUntil${waiter}`](waiting, input)).state, 'SUCCESS');
}

/** The same, for a job that ends badly. */
const refuseToWait = (waiter, input) => assert.rejects(wait(waiter, input), /"state":"FAILURE"/);

async function bulkPut(source) {
  const begun = await send('StartBulkPutItems', {
    TableName,
    InputS3Configuration: { ...source, ...lines },
    OutputS3Configuration: { S3Bucket: 'bucket', OutputType: ['ERROR'] },
  });
  return { BulkOperationArn: begun.BulkOperationDescription.BulkOperationArn };
}

test('a table comes', async () => {
  await send('CreateTable', { TableName, ...table });
  await wait('TableExists', { TableName });
  await send('PutItem', { TableName, Item: { pk: { S: 'a' } } });
});

test('insights are enabled', async () => {
  if (!has('ContributorInsightsEnabled')) return;
  await send('UpdateContributorInsights', { TableName, ContributorInsightsAction: 'ENABLE' });
  await wait('ContributorInsightsEnabled', { TableName });
});

test('a destination becomes active, and is disabled', async () => {
  if (!has('KinesisStreamingDestinationActive')) return;
  await send('EnableKinesisStreamingDestination', stream);
  await wait('KinesisStreamingDestinationActive', { TableName });
  await send('DisableKinesisStreamingDestination', stream);
  await refuseToWait('KinesisStreamingDestinationActive', { TableName });
});

test('an export, an import and bulk operations end', async () => {
  if (!has('ExportCompleted')) return;
  await send('UpdateContinuousBackups', { TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } });
  const { ExportDescription: { ExportArn } } = await send('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket' });
  await wait('ExportCompleted', { ExportArn });
  const { ExportDescription: { ExportManifest } } = await send('DescribeExport', { ExportArn });
  const source = { S3Bucket: 'bucket', S3KeyPrefix: `${ExportManifest.replace(/[^/]*$/, '')}data/` };
  const { ImportTableDescription: { ImportArn } } = await send('ImportTable', {
    S3BucketSource: source,
    ...lines,
    TableCreationParameters: { TableName: 'Imported', ...table },
  });
  await wait('ImportCompleted', { ImportArn });
  assert.equal((await send('Scan', { TableName: 'Imported' })).Count, 1);
  await send('DeleteTable', { TableName: 'Imported' });
  if (!has('BulkOperationCompleted')) return;
  await wait('BulkOperationCompleted', await bulkPut(source));
  await refuseToWait('BulkOperationCompleted', await bulkPut({ ...source, S3KeyPrefix: 'nothing/' }));
});

test('the table goes', async () => {
  await send('DeleteTable', { TableName });
  await wait('TableNotExists', { TableName });
});

test('no waiter was left out', () => {
  assert.deepEqual(known.filter((name) => !used.has(name)), []);
});
