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

// One action on one resource that a request asks for, with what policies may say about it (AWS
// service authorization reference, "Actions, resources, and condition keys for Amazon DynamoDB").
struct Need {
  using Texts = std::optional<std::vector<std::string>>;

  std::string_view action;  // of a literal: "GetItem"
  std::string resource;     // an ARN, or "*"
  // What a refusal calls it: as the caller would name what is not there. Empty: by `resource`.
  std::string asked = {};
  // Whose policy has a say, and whose tags; nullptr: the resource has neither.
  storage::TablePtr table = nullptr;
  bool is_stream = false;  // the policy is that of its stream
  // Of a stream that its table has left.
  std::optional<storage::ResourcePolicy> left_policy = {};
  std::string account = {};  // of the resource, as its ARN says; empty: the caller's
  std::size_t member = 0;    // of a batch of statements

  Texts leading_keys = {};  // partition key values; absent where none is named
  Texts attributes = {};    // top-level ones that are named
  std::optional<bool> full_table_scan = {};
  // Empty: the request has no such thing.
  std::string_view select = {};
  std::string_view return_values = {};
  std::string_view return_consumed_capacity = {};
  std::string_view enclosing_operation = {};
  std::vector<std::pair<std::string, std::string>> request_tags = {};
  Texts tag_keys = {};
};

// A failed condition may show the item, which counts as ReturnValues ALL_OLD. The last need then has
// that value where it returns nothing else, and otherwise is followed by one that has it. `member`:
// a request or a part of one, whose ReturnValues were read.
void add_failure(const Parameters& member, std::vector<Need>& needs);

// Of a request whose shape was checked. `in_full`: with what conditions look at, and not only who
// does what to which resource. Throws what the operation would throw of expressions or iterators
// that cannot be read; a statement that cannot be read needs nothing, as nothing will be done.
std::vector<Need> needs_of(const Operation& operation, const Request& request, bool in_full);

// Of an operation whose one need is on what its TableName names, and what lies in that.
bool is_about_one_table(const Operation& operation);

}  // namespace magneto::api
