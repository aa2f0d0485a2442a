// Every command that the SDK's clients export is sent, and every answer parses: as what it is for, or as an error that
// the service's model has. A command that is not in the walk below fails it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as streams from '@aws-sdk/client-dynamodb-streams';

const clients = new Map([
  [dynamodb, new dynamodb.DynamoDBClient({ maxAttempts: 1 })],
  [streams, new streams.DynamoDBStreamsClient({ maxAttempts: 1 })],
]);

const table = 'Commands';
const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${table}`;
const pk = { pk: { S: 'a' } };
const onDemand = {
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
};
const kinesis = { TableName: table, StreamArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/changes' };
const objects = { S3Bucket: 'bucket', S3KeyPrefix: 'in' };
const policy = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Deny', Principal: '*', Action: 'dynamodb:DeleteTable', Resource: arn }],
});

const sent = new Set();

/** Sends a command of either client; undefined where this version of the SDK has none of that name. */
async function send(name, input) {
  for (const [module, client] of clients) {
    const Command = module[`${name}Command`];
    if (Command === undefined) continue;
    sent.add(name);
    return await client.send(new Command(input));
  }
  return undefined;
}

/** The same, where an error is right: one of that name, which the model has. */
async function refused(name, input, error) {
  if ([...clients.keys()].every((module) => module[`${name}Command`] === undefined)) return;
  await assert.rejects(send(name, input), (found) => {
    assert.equal(found.name, error, `${name}: ${found.name}: ${found.message}`);
    assert.equal(found.$metadata.httpStatusCode, 400);
    return true;
  });
}

async function until(name, input, ready) {
  for (;;) {
    const answer = await send(name, input);
    if (answer === undefined || ready(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('tables', async () => {
  const made = await send('CreateTable', {
    TableName: table,
    ...onDemand,
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  assert.equal(made.TableDescription.TableArn, arn);
  assert.ok(made.TableDescription.CreationDateTime instanceof Date);
  assert.equal((await send('DescribeTable', { TableName: table })).Table.TableStatus, 'ACTIVE');
  assert.deepEqual((await send('ListTables', {})).TableNames, [table]);
  await send('UpdateTable', { TableName: table, DeletionProtectionEnabled: false });
  assert.ok((await send('DescribeLimits', {})).AccountMaxReadCapacityUnits > 0);
  assert.equal((await send('DescribeEndpoints', {})).Endpoints.length, 1);
  await send('UpdateTimeToLive', {
    TableName: table,
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
  });
  const ttl = await send('DescribeTimeToLive', { TableName: table });
  assert.equal(ttl.TimeToLiveDescription.TimeToLiveStatus, 'ENABLED');
  await send('TagResource', { ResourceArn: arn, Tags: [{ Key: 'k', Value: 'v' }] });
  assert.equal((await send('ListTagsOfResource', { ResourceArn: arn })).Tags.length, 1);
  await send('UntagResource', { ResourceArn: arn, TagKeys: ['k'] });
});

test('items', async () => {
  await send('PutItem', { TableName: table, Item: { ...pk, n: { N: '1' } } });
  assert.deepEqual((await send('GetItem', { TableName: table, Key: pk })).Item.n, { N: '1' });
  await send('UpdateItem', {
    TableName: table,
    Key: pk,
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  });
  await refused('DeleteItem', { TableName: table, Key: pk, ConditionExpression: 'attribute_not_exists(pk)' },
    'ConditionalCheckFailedException');
  const put = { PutRequest: { Item: { pk: { S: 'b' } } } };
  assert.deepEqual((await send('BatchWriteItem', { RequestItems: { [table]: [put] } })).UnprocessedItems, {});
  const got = await send('BatchGetItem', { RequestItems: { [table]: { Keys: [pk, { pk: { S: 'b' } }] } } });
  assert.equal(got.Responses[table].length, 2);
  const found = await send('Query', {
    TableName: table,
    KeyConditionExpression: 'pk = :a',
    ExpressionAttributeValues: { ':a': { S: 'a' } },
  });
  assert.equal(found.Count, 1);
  assert.equal((await send('Scan', { TableName: table })).Count, 2);
  await send('TransactWriteItems', { TransactItems: [{ Delete: { TableName: table, Key: { pk: { S: 'b' } } } }] });
  await send('TransactGetItems', { TransactItems: [{ Get: { TableName: table, Key: pk } }] });
  const statement = `SELECT * FROM "${table}" WHERE pk = 'a'`;
  assert.equal((await send('ExecuteStatement', { Statement: statement })).Items.length, 1);
  assert.equal((await send('BatchExecuteStatement', { Statements: [{ Statement: statement }] })).Responses.length, 1);
  await send('ExecuteTransaction', { TransactStatements: [{ Statement: statement }] });
});

test('vectors', async () => {
  if (dynamodb.SearchVectorsCommand === undefined) return; // an older SDK
  await send('CreateTable', {
    TableName: 'Vectors',
    ...onDemand,
    VectorIndexes: [{
      IndexName: 'near',
      VectorAttribute: { AttributeName: 'v' },
      Dimensions: 2,
      DistanceFunction: 'EUCLIDEAN',
      Projection: { ProjectionType: 'ALL' },
    }],
  });
  await send('PutItem', { TableName: 'Vectors', Item: { ...pk, v: { L: [{ N: '1' }, { N: '0' }] } } });
  const found = await send('SearchVectors', {
    TableName: 'Vectors',
    IndexName: 'near',
    SearchVector: [{ N: '1' }, { N: '1' }],
    TopK: 1,
  });
  assert.equal(JSON.stringify(found).includes('"pk":{"S":"a"}'), true);
});

test('streams', async () => {
  const { Streams: [{ StreamArn }] } = await send('ListStreams', { TableName: table });
  const { StreamDescription: { Shards: [{ ShardId }] } } = await send('DescribeStream', { StreamArn });
  const { ShardIterator } = await send('GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
  assert.ok(Array.isArray((await send('GetRecords', { ShardIterator })).Records));
});

test('backups and the past', async () => {
  const { BackupDetails } = await send('CreateBackup', { TableName: table, BackupName: 'of-commands' });
  const { BackupArn } = BackupDetails;
  const told = await until('DescribeBackup', { BackupArn },
    (one) => one.BackupDescription.BackupDetails.BackupStatus === 'AVAILABLE');
  assert.ok(told.BackupDescription.BackupDetails.BackupCreationDateTime instanceof Date);
  assert.equal((await send('ListBackups', {})).BackupSummaries.length, 1);
  const restored = await send('RestoreTableFromBackup', { BackupArn, TargetTableName: 'Restored' });
  assert.equal(restored.TableDescription.RestoreSummary.RestoreInProgress, true);
  await until('DescribeTable', { TableName: 'Restored' }, (one) => one.Table.TableStatus === 'ACTIVE');
  await send('DeleteBackup', { BackupArn });
  await send('UpdateContinuousBackups', {
    TableName: table,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  const { ContinuousBackupsDescription } = await send('DescribeContinuousBackups', { TableName: table });
  const recovery = ContinuousBackupsDescription.PointInTimeRecoveryDescription;
  assert.equal(recovery.PointInTimeRecoveryStatus, 'ENABLED');
  assert.ok(recovery.LatestRestorableDateTime instanceof Date);
  await send('RestoreTableToPointInTime', {
    SourceTableName: table,
    TargetTableName: 'Past',
    UseLatestRestorableTime: true,
  });
});

test('exports, imports and bulk operations', async () => {
  const { ExportDescription: { ExportArn } } = await send('ExportTableToPointInTime', {
    TableArn: arn,
    S3Bucket: 'bucket',
  });
  const exported = await until('DescribeExport', { ExportArn },
    (one) => one.ExportDescription.ExportStatus !== 'IN_PROGRESS');
  assert.equal(exported.ExportDescription.ExportStatus, 'COMPLETED', exported.ExportDescription.FailureMessage);
  assert.equal((await send('ListExports', {})).ExportSummaries.length, 1);
  const { ImportTableDescription: { ImportArn } } = await send('ImportTable', {
    S3BucketSource: objects,
    InputFormat: 'DYNAMODB_JSON',
    TableCreationParameters: { TableName: 'Imported', ...onDemand },
  });
  const imported = await until('DescribeImport', { ImportArn },
    (one) => one.ImportTableDescription.ImportStatus !== 'IN_PROGRESS');
  assert.equal(imported.ImportTableDescription.ImportStatus, 'COMPLETED', imported.ImportTableDescription.FailureMessage);
  assert.equal(imported.ImportTableDescription.ImportedItemCount, 0);
  assert.equal((await send('ListImports', {})).ImportSummaryList.length, 1);
  const begun = await send('StartBulkPutItems', {
    TableName: table,
    InputS3Configuration: { ...objects, InputFormat: 'DYNAMODB_JSON' },
    OutputS3Configuration: { S3Bucket: 'bucket', OutputType: ['ERROR'] },
  });
  if (begun === undefined) return; // an older SDK
  const { BulkOperationDescription: { BulkOperationArn } } = begun;
  await until('DescribeBulkOperation', { BulkOperationArn },
    (one) => one.BulkOperationDescription.BulkOperationStatus === 'FAILED');
  const listed = await send('ListBulkOperations', {});
  assert.equal(listed.BulkOperationsSummaryList[0].BulkOperationArn, BulkOperationArn);
  assert.equal((await send('CancelBulkOperation', { BulkOperationArn })).BulkOperationStatus, 'FAILED');
});

test('policies and insights', async () => {
  const { RevisionId } = await send('PutResourcePolicy', { ResourceArn: arn, Policy: policy });
  assert.equal((await send('GetResourcePolicy', { ResourceArn: arn })).RevisionId, RevisionId);
  await send('DeleteResourcePolicy', { ResourceArn: arn });
  await send('UpdateContributorInsights', { TableName: table, ContributorInsightsAction: 'ENABLE' });
  const insights = await send('DescribeContributorInsights', { TableName: table });
  assert.equal(insights.ContributorInsightsStatus, 'ENABLED');
  assert.equal((await send('ListContributorInsights', {})).ContributorInsightsSummaries.length, 1);
});

test('Kinesis', async () => {
  await send('EnableKinesisStreamingDestination', kinesis);
  await until('DescribeKinesisStreamingDestination', { TableName: table },
    (one) => one.KinesisDataStreamDestinations[0].DestinationStatus === 'ACTIVE');
  await send('UpdateKinesisStreamingDestination', {
    ...kinesis,
    UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: 'MICROSECOND' },
  });
  await until('DescribeKinesisStreamingDestination', { TableName: table },
    (one) => one.KinesisDataStreamDestinations[0].DestinationStatus === 'ACTIVE');
  await send('DisableKinesisStreamingDestination', kinesis);
});

test('global tables', async () => {
  const name = { GlobalTableName: table };
  assert.deepEqual((await send('ListGlobalTables', {})).GlobalTables, []);
  await refused('DescribeGlobalTable', name, 'GlobalTableNotFoundException');
  await refused('DescribeGlobalTableSettings', name, 'GlobalTableNotFoundException');
  const replica = { RegionName: 'eu-west-1' };
  await refused('UpdateGlobalTable', { ...name, ReplicaUpdates: [{ Create: replica }] }, 'GlobalTableNotFoundException');
  await refused('CreateGlobalTable', { GlobalTableName: 'missing', ReplicationGroup: [{ RegionName: 'us-east-1' }] },
    'TableNotFoundException');
  await refused('DescribeTableReplicaAutoScaling', { TableName: table }, 'ResourceNotFoundException');
  await refused('UpdateGlobalTableSettings', name, 'GlobalTableNotFoundException');
  await refused('UpdateTableReplicaAutoScaling', { TableName: table }, 'ResourceNotFoundException');
});

test('the end', async () => {
  await send('DeleteTable', { TableName: table });
  await refused('DescribeTable', { TableName: table }, 'ResourceNotFoundException');
});

test('no command was left out', () => {
  for (const module of clients.keys()) {
    const names = Object.keys(module).filter((name) => name.endsWith('Command') && name !== '$Command');
    assert.deepEqual(names.filter((name) => !sent.has(name.slice(0, -'Command'.length))), []);
  }
});
