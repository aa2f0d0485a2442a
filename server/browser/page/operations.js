// The operations of the server, in alphabetical order, as api/operation_table.h lists them.

export const kOperations = [
  'BatchExecuteStatement', 'BatchGetItem', 'BatchWriteItem', 'CancelBulkOperation', 'CreateBackup', 'CreateGlobalTable',
  'CreateTable', 'DeleteBackup', 'DeleteItem', 'DeleteResourcePolicy', 'DeleteTable', 'DescribeBackup',
  'DescribeBulkOperation', 'DescribeContinuousBackups', 'DescribeContributorInsights', 'DescribeEndpoints',
  'DescribeExport', 'DescribeGlobalTable', 'DescribeGlobalTableSettings', 'DescribeImport',
  'DescribeKinesisStreamingDestination', 'DescribeLimits', 'DescribeStream', 'DescribeTable',
  'DescribeTableReplicaAutoScaling', 'DescribeTimeToLive', 'DisableKinesisStreamingDestination',
  'EnableKinesisStreamingDestination', 'ExecuteStatement', 'ExecuteTransaction', 'ExportTableToPointInTime', 'GetItem',
  'GetRecords', 'GetResourcePolicy', 'GetShardIterator', 'ImportTable', 'ListBackups', 'ListBulkOperations',
  'ListContributorInsights', 'ListExports', 'ListGlobalTables', 'ListImports', 'ListStreams', 'ListTables',
  'ListTagsOfResource', 'PutItem', 'PutResourcePolicy', 'Query', 'RestoreTableFromBackup', 'RestoreTableToPointInTime',
  'Scan', 'SearchVectors', 'StartBulkPutItems', 'TagResource', 'TransactGetItems', 'TransactWriteItems',
  'UntagResource', 'UpdateContinuousBackups', 'UpdateContributorInsights', 'UpdateGlobalTable',
  'UpdateGlobalTableSettings', 'UpdateItem', 'UpdateKinesisStreamingDestination', 'UpdateTable',
  'UpdateTableReplicaAutoScaling', 'UpdateTimeToLive',
];

// Operations of DynamoDB Streams, which has a service name of its own.
export const kStreamOperations = new Set(['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']);

// Errors of a request without a signature, or with one that the server's keys did not make.
export const kSignatureErrors = new Set([
  'IncompleteSignatureException', 'InvalidSignatureException', 'MissingAuthenticationToken',
  'MissingAuthenticationTokenException', 'UnrecognizedClientException',
]);
