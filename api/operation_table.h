#pragma once

#include "api/operation.h"

// The only list of operations, in alphabetical order, one line for each. An operation is defined in
// operations/<name>.cc, which must include this header, as
//   constinit const Operation kPutItem{"PutItem", kInput, &handle, true};
#define MAGNETO_OPERATIONS(OPERATION) \
  OPERATION(BatchGetItem)             \
  OPERATION(BatchWriteItem)           \
  OPERATION(CreateTable)              \
  OPERATION(DeleteItem)               \
  OPERATION(DeleteTable)              \
  OPERATION(DescribeEndpoints)        \
  OPERATION(DescribeLimits)           \
  OPERATION(DescribeTable)            \
  OPERATION(GetItem)                  \
  OPERATION(ListTables)               \
  OPERATION(PutItem)                  \
  OPERATION(Query)                    \
  OPERATION(Scan)                     \
  OPERATION(TransactGetItems)         \
  OPERATION(TransactWriteItems)       \
  OPERATION(UpdateItem)               \
  OPERATION(UpdateTable)

namespace magneto::api {

#define MAGNETO_DECLARE_OPERATION(name) extern const Operation k##name;
MAGNETO_OPERATIONS(MAGNETO_DECLARE_OPERATION)
#undef MAGNETO_DECLARE_OPERATION

}  // namespace magneto::api
