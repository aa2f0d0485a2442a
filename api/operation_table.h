#pragma once

#include "api/operation.h"

// The only list of operations, in alphabetical order, one per line. operations/<name>.cc defines an
// operation:
//   extern const Operation kPutItem;
//   ...
//   constinit const Operation kPutItem{
//       .name = "PutItem", .input = kInput, .handle = &put_item, .writes = true};
#define MAGNETO_OPERATIONS(OPERATION)            \
  OPERATION(BatchExecuteStatement)               \
  OPERATION(BatchGetItem)                        \
  OPERATION(BatchWriteItem)                      \
  OPERATION(CancelBulkOperation)                 \
  OPERATION(CreateBackup)                        \
  OPERATION(CreateGlobalTable)                   \
  OPERATION(CreateTable)                         \
  OPERATION(DeleteBackup)                        \
  OPERATION(DeleteItem)                          \
  OPERATION(DeleteResourcePolicy)                \
  OPERATION(DeleteTable)                         \
  OPERATION(DescribeBackup)                      \
  OPERATION(DescribeBulkOperation)               \
  OPERATION(DescribeContinuousBackups)           \
  OPERATION(DescribeContributorInsights)         \
  OPERATION(DescribeEndpoints)                   \
  OPERATION(DescribeExport)                      \
  OPERATION(DescribeGlobalTable)                 \
  OPERATION(DescribeGlobalTableSettings)         \
  OPERATION(DescribeImport)                      \
  OPERATION(DescribeKinesisStreamingDestination) \
  OPERATION(DescribeLimits)                      \
  OPERATION(DescribeStream)                      \
  OPERATION(DescribeTable)                       \
  OPERATION(DescribeTableReplicaAutoScaling)     \
  OPERATION(DescribeTimeToLive)                  \
  OPERATION(DisableKinesisStreamingDestination)  \
  OPERATION(EnableKinesisStreamingDestination)   \
  OPERATION(ExecuteStatement)                    \
  OPERATION(ExecuteTransaction)                  \
  OPERATION(ExportTableToPointInTime)            \
  OPERATION(GetItem)                             \
  OPERATION(GetRecords)                          \
  OPERATION(GetResourcePolicy)                   \
  OPERATION(GetShardIterator)                    \
  OPERATION(ImportTable)                         \
  OPERATION(ListBackups)                         \
  OPERATION(ListBulkOperations)                  \
  OPERATION(ListContributorInsights)             \
  OPERATION(ListExports)                         \
  OPERATION(ListGlobalTables)                    \
  OPERATION(ListImports)                         \
  OPERATION(ListStreams)                         \
  OPERATION(ListTables)                          \
  OPERATION(ListTagsOfResource)                  \
  OPERATION(PutItem)                             \
  OPERATION(PutResourcePolicy)                   \
  OPERATION(Query)                               \
  OPERATION(RestoreTableFromBackup)              \
  OPERATION(RestoreTableToPointInTime)           \
  OPERATION(Scan)                                \
  OPERATION(SearchVectors)                       \
  OPERATION(StartBulkPutItems)                   \
  OPERATION(TagResource)                         \
  OPERATION(TransactGetItems)                    \
  OPERATION(TransactWriteItems)                  \
  OPERATION(UntagResource)                       \
  OPERATION(UpdateContinuousBackups)             \
  OPERATION(UpdateContributorInsights)           \
  OPERATION(UpdateGlobalTable)                   \
  OPERATION(UpdateGlobalTableSettings)           \
  OPERATION(UpdateItem)                          \
  OPERATION(UpdateKinesisStreamingDestination)   \
  OPERATION(UpdateTable)                         \
  OPERATION(UpdateTableReplicaAutoScaling)       \
  OPERATION(UpdateTimeToLive)

namespace magneto::api {

#define MAGNETO_DECLARE_OPERATION(name) extern const Operation k##name;
MAGNETO_OPERATIONS(MAGNETO_DECLARE_OPERATION)
#undef MAGNETO_DECLARE_OPERATION

}  // namespace magneto::api
