#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::server::tools {

// A place where two answers differ.
struct AnswerDifference {
  std::string path;      // "Items[0].n.N"
  std::string expected;  // JSON; empty if missing
  std::string found;
};

// Whether members with this name have a new value in each answer: ids, times, iterators, tokens.
bool is_volatile_member(std::string_view name);

// Returns the first `most` differences. Numbers are compared by value. The order is ignored for
// members of objects, for sets, and for the items of one table in BatchGetItem, which DynamoDB
// returns in no fixed order. Members with a new value in each answer only need to exist, unless
// `exact`.
std::vector<AnswerDifference> find_differences(std::string_view operation,
                                               api::json::Value expected, api::json::Value found,
                                               bool exact, std::size_t most);

}  // namespace magneto::server::tools
