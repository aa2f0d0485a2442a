#pragma once

#include <cstddef>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/json/json_reader.h"
#include "api/operation.h"

namespace magneto::api {

// A part of a request that reads or writes items: an item of a batch, an action of a transaction, a
// statement, or the whole request. Must not outlive the request.
struct RequestPart {
  std::string_view action = {};  // name in policies, such as "PutItem"; empty: not known
  std::string_view table = {};   // a name or an ARN
  std::string_view index = {};
  bool writes = false;
  json::Value members =
      {};  // has expressions and ReturnValues: the request, an action, a batch's table
  json::Value item = {};  // its Item or Key; absent if the part reads a page
  // Contains Statement and Parameters; then only `member` is set besides.
  json::Value statement = {};
  bool begins_table =
      false;               // not a part itself: gives the table of the parts of a batch that follow
  std::size_t member = 0;  // the part's index in a transaction or a batch of statements
};

// Calls `take` with each part of a request of any form except kResource, in the order of the
// request. The request's shape has been checked. An action of a transaction without a kind yields
// an empty part; an action with several kinds yields several parts with the same index.
void for_each_part(const Operation& operation, const Request& request,
                   absl::FunctionRef<void(const RequestPart&)> take);

// The name of the table that an operation of the form kResource creates from another resource;
// empty if it creates none.
std::string_view target_table(const Operation& operation, const Request& request);

}  // namespace magneto::api
