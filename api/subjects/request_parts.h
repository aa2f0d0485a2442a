#pragma once

#include <cstddef>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/json/json_reader.h"
#include "api/operation.h"

namespace magneto::api {

// A part of a request that reads or writes items: an item of a batch, an action of a transaction, a
// statement, or the whole request. It lives no longer than the request.
struct RequestPart {
  std::string_view action = {};  // as policies call it, such as "PutItem"; empty: not known
  std::string_view table = {};   // a name or an ARN
  std::string_view index = {};
  bool writes = false;
  json::Value members =
      {};                 // has the part's expressions and ReturnValues; an action, a table's keys
  json::Value item = {};  // its Item or Key; none: the part reads a page
  // Has Statement and Parameters; nothing else is known then.
  json::Value statement = {};
  bool begins_table =
      false;               // no part of its own: a batch names the table of the parts that follow
  std::size_t member = 0;  // the part's place in a transaction or a batch of statements
};

// Calls `take` with each part of a request of any form but kResource, in the order of the request.
// The request's shape was checked. An action of a transaction without any kind is a part of nothing;
// one with several kinds is several parts of the same place.
void for_each_part(const Operation& operation, const Request& request,
                   absl::FunctionRef<void(const RequestPart&)> take);

// The name of the table that an operation of the form kResource makes from something else; empty:
// none.
std::string_view target_table(const Operation& operation, const Request& request);

}  // namespace magneto::api
