#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/operation.h"
#include "api/request/parameters.h"
#include "storage/database.h"

namespace magneto::api {

// One action on one resource that a request needs permission for, with the values that policies can
// test (AWS service authorization reference, "Actions, resources, and condition keys for Amazon
// DynamoDB").
struct RequiredPermission {
  using Texts = std::optional<std::vector<std::string>>;

  std::string_view action;  // refers to a literal: "GetItem"
  std::string resource;     // an ARN, or "*"
  // The resource's ARN in a refusal, in the form that a missing resource would have for the caller,
  // so that a refusal does not show whether the resource exists. Empty: `resource`.
  std::string asked = {};
  // The table whose policy and tags apply; nullptr: the resource has neither.
  storage::TablePtr table = nullptr;
  bool is_stream = false;  // use the policy of the table's stream
  // The policy of a stream that its table no longer has.
  std::optional<storage::ResourcePolicy> left_policy = {};
  std::string account = {};  // the resource's account, from its ARN; empty: the caller's
  std::size_t member = 0;    // index in a batch of statements

  Texts leading_keys = {};  // partition key values; absent if the request names none
  Texts attributes = {};    // named top-level attributes
  std::optional<bool> full_table_scan = {};
  // Empty if the request has no such parameter.
  std::string_view select = {};
  std::string_view return_values = {};
  std::string_view return_consumed_capacity = {};
  std::string_view enclosing_operation = {};
  std::vector<std::pair<std::string, std::string>> request_tags = {};
  Texts tag_keys = {};
};

// A failed condition may return the item, which counts as ReturnValues ALL_OLD. The last need gets
// that value if it returns nothing else; otherwise a copy with that value follows it. `member`: a
// request or a part of one, whose ReturnValues have been read.
void add_failure(const Parameters& member, std::vector<RequiredPermission>& needs);

// The needs of a request whose shape has been checked. `in_full`: include the values that policy
// conditions test, not only the actions and resources. If an expression or iterator cannot be read,
// throws the same error as the operation. A statement that cannot be read has no needs, because it
// does nothing.
std::vector<RequiredPermission> required_permissions_of(const Operation& operation,
                                                        const Request& request, bool in_full);

// Whether the operation has a single need, for the table in TableName or a resource within that
// table.
bool is_about_one_table(const Operation& operation);

}  // namespace magneto::api
