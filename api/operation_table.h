#pragma once

#include "api/operation.h"

// The only list of operations, in alphabetical order. Each is defined in operations/<name>.cc,
// which must include this header, as
//   constinit const Operation kPutItem{"PutItem", kInput, &handle, true};
#define MAGNETO_OPERATIONS(OPERATION) \
  OPERATION(BatchGetItem)             \
  OPERATION(BatchWriteItem)           \
  OPERATION(DeleteItem)               \
  OPERATION(DescribeLimits)           \
  OPERATION(GetItem)                  \
  OPERATION(PutItem)                  \
  OPERATION(Query)                    \
  OPERATION(Scan)                     \
  OPERATION(UpdateItem)

namespace magneto::api {

#define MAGNETO_DECLARE_OPERATION(name) extern const Operation k##name;
MAGNETO_OPERATIONS(MAGNETO_DECLARE_OPERATION)
#undef MAGNETO_DECLARE_OPERATION

}  // namespace magneto::api
