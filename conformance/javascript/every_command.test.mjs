// Every command that the SDK has: the server knows it, and the SDK makes something of each answer.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as sdk from '@aws-sdk/client-dynamodb';

const client = new sdk.DynamoDBClient({ endpoint: process.env.MAGNETO_ENDPOINT, maxAttempts: 1 });

const TableName = 'Every';
const Key = { pk: { S: 'a' } };
const Item = { ...Key, n: { N: '1' } };
const schema = {
  TableName,
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
};
const bucket = { S3Bucket: 'bucket' };
const policy = (arn) => JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: '111122223333' }, Action: 'dynamodb:GetItem', Resource: arn }],
});
const unknown = (arn, kind) => `${arn}/${kind}/01234567890123-abcdefab`;

// In an order in which they can succeed: a request, or how to make one of what is known, and the error that a server
// without --s3-dir, or one that is asked for what never was, has for it. Of commands that docs/compatibility.md calls
// not supported only the request matters.
const commands = {
  CreateTable: [schema],
  DescribeTable: [{ TableName }],
  ListTables: [{}],
  UpdateTable: [{ TableName, DeletionProtectionEnabled: false }],
  UpdateTimeToLive: [{ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' } }],
  DescribeTimeToLive: [{ TableName }],
  TagResource: [({ arn }) => ({ ResourceArn: arn, Tags: [{ Key: 'k', Value: 'v' }] })],
  ListTagsOfResource: [({ arn }) => ({ ResourceArn: arn })],
  UntagResource: [({ arn }) => ({ ResourceArn: arn, TagKeys: ['k'] })],
  DescribeLimits: [{}],
  DescribeEndpoints: [{}],
  PutItem: [{ TableName, Item }],
  GetItem: [{ TableName, Key }],
  UpdateItem: [{ TableName, Key, UpdateExpression: 'SET n = n + :n', ExpressionAttributeValues: { ':n': { N: '1' } } }],
  DeleteItem: [{ TableName, Key, ConditionExpression: 'attribute_not_exists(pk)' }, 'ConditionalCheckFailedException'],
  BatchGetItem: [{ RequestItems: { [TableName]: { Keys: [Key] } } }],
  BatchWriteItem: [{ RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }],
  Query: [{ TableName, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': Key.pk } }],
  Scan: [{ TableName }],
  TransactGetItems: [{ TransactItems: [{ Get: { TableName, Key } }] }],
  TransactWriteItems: [{ TransactItems: [{ Put: { TableName, Item } }] }],
  ExecuteStatement: [{ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'a'` }],
  BatchExecuteStatement: [{ Statements: [{ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'a'` }] }],
  ExecuteTransaction: [{ TransactStatements: [{ Statement: `SELECT * FROM "${TableName}" WHERE pk = 'a'` }] }],
  SearchVectors: [{ TableName, IndexName: 'none', VectorSearch: { QueryVector: [1], TopK: 1 } }, 'ValidationException'],
  CreateBackup: [{ TableName, BackupName: 'one' }],
  DescribeBackup: [({ backup }) => ({ BackupArn: backup })],
  ListBackups: [{ TableName }],
  RestoreTableFromBackup: [({ backup }) => ({ BackupArn: backup, TargetTableName: TableName }), 'TableAlreadyExistsException'],
  DeleteBackup: [({ backup }) => ({ BackupArn: backup })],
  UpdateContinuousBackups: [{ TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
  DescribeContinuousBackups: [{ TableName }],
  RestoreTableToPointInTime: [{ SourceTableName: 'Nothing', TargetTableName: 'Restored', UseLatestRestorableTime: true }, 'TableNotFoundException'],
  ExportTableToPointInTime: [({ arn }) => ({ TableArn: arn, ...bucket }), 'ValidationException'],
  DescribeExport: [({ arn }) => ({ ExportArn: unknown(arn, 'export') }), 'ExportNotFoundException'],
  ListExports: [{}],
  ImportTable: [{ S3BucketSource: bucket, InputFormat: 'DYNAMODB_JSON', TableCreationParameters: { ...schema, TableName: 'Imported' } }, 'ValidationException'],
  DescribeImport: [({ arn }) => ({ ImportArn: unknown(arn, 'import') }), 'ImportNotFoundException'],
  ListImports: [{}],
  PutResourcePolicy: [({ arn }) => ({ ResourceArn: arn, Policy: policy(arn) })],
  GetResourcePolicy: [({ arn }) => ({ ResourceArn: arn })],
  DeleteResourcePolicy: [({ arn }) => ({ ResourceArn: arn })],
  UpdateContributorInsights: [{ TableName, ContributorInsightsAction: 'ENABLE' }],
  DescribeContributorInsights: [{ TableName }],
  ListContributorInsights: [{}],
  EnableKinesisStreamingDestination: [{ TableName: 'Nothing', StreamArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/one' }, 'ResourceNotFoundException'],
  UpdateKinesisStreamingDestination: [{
    TableName: 'Nothing', StreamArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/one',
    UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: 'MILLISECOND' },
  }, 'ResourceNotFoundException'],
  DisableKinesisStreamingDestination: [{ TableName: 'Nothing', StreamArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/one' }, 'ResourceNotFoundException'],
  DescribeKinesisStreamingDestination: [{ TableName }],
  CreateGlobalTable: [{ GlobalTableName: 'Nothing', ReplicationGroup: [{ RegionName: 'us-east-1' }] }, 'TableNotFoundException'],
  DescribeGlobalTable: [{ GlobalTableName: 'Nothing' }, 'GlobalTableNotFoundException'],
  DescribeGlobalTableSettings: [{ GlobalTableName: 'Nothing' }, 'GlobalTableNotFoundException'],
  UpdateGlobalTable: [{ GlobalTableName: 'Nothing', ReplicaUpdates: [{ Create: { RegionName: 'eu-west-2' } }] }, 'GlobalTableNotFoundException'],
  UpdateGlobalTableSettings: [{ GlobalTableName: 'Nothing', GlobalTableBillingMode: 'PAY_PER_REQUEST' }, 'GlobalTableNotFoundException'],
  ListGlobalTables: [{}],
  DescribeTableReplicaAutoScaling: [{ TableName }],
  UpdateTableReplicaAutoScaling: [{ TableName: 'Nothing' }, 'ResourceNotFoundException'],
  StartBulkPutItems: [({ arn }) => ({ TableName: arn, InputS3Configuration: bucket, OutputS3Configuration: bucket })],
  DescribeBulkOperation: [({ arn }) => ({ BulkOperationArn: unknown(arn, 'bulk') }), 'ResourceNotFoundException'],
  ListBulkOperations: [{}],
  CancelBulkOperation: [({ arn }) => ({ BulkOperationArn: unknown(arn, 'bulk') }), 'ResourceNotFoundException'],
  DeleteTable: [{ TableName }],
};

const page = readFileSync(new URL('../../docs/compatibility.md', import.meta.url), 'utf8');
const refused = [...page.matchAll(/^\| `(\w+)` \| not supported/gm)].map(([, name]) => name);

const exported = Object.keys(sdk).filter((name) => name.endsWith('Command') && name !== '$Command')
  .map((name) => name.replace(/Command$/, ''));

async function answerTo(name, request) {
  try {
    return { answer: await client.send(new sdk[`${name}Command`](request)) };
  } catch (error) {
    return { error };
  }
}

function checkError(name, error, expected) {
  assert.ok(error instanceof sdk.DynamoDBServiceException, `${name}: ${error.stack}`);
  assert.equal(error.name, expected, `${name}: ${error.message}`);
  assert.ok(error.message && error.$metadata.requestId, name);
  // ValidationException is the one that the service's model does not have.
  if (expected !== 'ValidationException') assert.equal(error.constructor, sdk[expected], name);
}

test('every command of the SDK is asked', () => {
  assert.deepEqual(exported.filter((name) => !commands[name]), []);
});

test('every answer is one that the SDK understands', async (t) => {
  const known = {};
  for (const [name, [input, expected]] of Object.entries(commands)) {
    if (!exported.includes(name)) continue;
    await t.test(name, async () => {
      const { answer, error } = await answerTo(name, typeof input === 'function' ? input(known) : input);
      if (refused.includes(name)) {
        assert.equal(error?.name, 'UnknownOperationException', name);
      } else if (expected) {
        assert.ok(error, `${name} has succeeded`);
        checkError(name, error, expected);
      } else {
        assert.ifError(error);
        assert.equal(answer.$metadata.httpStatusCode, 200);
        known.arn ??= answer.TableDescription?.TableArn;
        known.backup ??= answer.BackupDetails?.BackupArn;
      }
    });
  }
});
