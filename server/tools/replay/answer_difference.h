#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::server::tools {

// A place in two answers where they are not alike.
struct AnswerDifference {
  std::string path;      // "Items[0].n.N"
  std::string expected;  // JSON; empty: it is not there
  std::string found;
};

// Whether a member of that name has another value each time: ids, times, iterators, tokens.
bool is_volatile_member(std::string_view name);

// The first `most` differences. Numbers are compared by value, members of objects in any order, and
// so are sets, and the items of one table in BatchGetItem, which DynamoDB returns in no particular
// order. Members with another value each time need only be there, unless `exact`.
std::vector<AnswerDifference> find_differences(std::string_view operation,
                                               api::json::Value expected, api::json::Value found,
                                               bool exact, std::size_t most);

}  // namespace magneto::server::tools
