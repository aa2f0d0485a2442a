#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "api/json/json_reader.h"
#include "api/request/parameters.h"
#include "storage/table/table.h"

namespace magneto::api {

// The top-level attributes that a request names, each once, in order of appearance.
class NamedAttributes {
 public:
  void add(std::string_view name) {
    if (seen_.insert(std::string(name)).second) names_.emplace_back(name);
  }
  template <typename Names>
  void add_all(const Names& names) {
    for (const std::string_view name : names) add(name);
  }
  // Adds the members of an item, a key, or a map of conditions.
  void add_members(json::Value map) {
    for (const json::Member member : map.object()) add(member.name);
  }
  // Adds the attributes in all expressions of a request, or of a member of one, and in the legacy
  // parameters that expressions replaced. Throws ApiError for an expression that cannot be read.
  void add_expressions(const Parameters& parameters);

  // Adds the attributes that a page reads: the key attributes of the table and of the index,
  // because LastEvaluatedKey and NextToken show them. A policy with dynamodb:Attributes must list
  // them (AWS developer guide, "Using IAM policy conditions for fine-grained access control"). If
  // `index` is empty or unknown, adds only those of the table.
  void add_keys(const storage::Table& table, std::string_view index);
  // Adds the attributes of a search: the vector attribute, which scores reveal, and the index key.
  void add_searched(const storage::Table& table, std::string_view index);

  std::vector<std::string> take() { return std::move(names_); }

 private:
  void add_key(const storage::KeySchema& key);

  absl::flat_hash_set<std::string> seen_;
  std::vector<std::string> names_;
};

}  // namespace magneto::api
