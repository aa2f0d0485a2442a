#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/tools/schema/node.h"

namespace magneto::server::tools::schema {

struct SeedItem {
  std::string file;
  std::uint32_t line = 0;
  std::string json;  // as in PutItem
};

// A table that a file asks for, as the requests that make it.
struct TableDefinition {
  std::string file;
  std::uint32_t line = 0;
  std::string name;
  std::string create;        // CreateTable
  std::string time_to_live;  // UpdateTimeToLive; empty: none
  std::string recovery;      // UpdateContinuousBackups; empty: none
  // UpdateContributorInsights, of the table and of its indexes.
  std::vector<std::string> insights;
  std::vector<SeedItem> items;

  std::string place() const { return file + ":" + std::to_string(line); }
};

// Is told, in a sentence, what of a file is left out.
using Warn = std::function<void(std::uint32_t line, const std::string& what)>;

// What all kinds of files come down to: the members of CreateTable, and beside them
// TimeToLiveSpecification, PointInTimeRecoverySpecification, ContributorInsightsSpecification (of
// global indexes too) and Items, a list of items as in PutItem. Texts become numbers and booleans where the request has such. Members of other names are
// left out with a warning, but one that is nearly a known name is refused; what they hold is not checked here but by CreateTable. The definition
// has no file yet. Throws SchemaError.
TableDefinition make_table(const TreeNode& table, const Warn& warn);

// UpdateTimeToLive, from a TimeToLiveSpecification; none where that is null or says no.
void set_time_to_live(TableDefinition& table, const TreeNode& specification, const Warn& warn);

// One item, whose attribute values have their types: {"pk": {"S": "a"}}.
std::string item_json(const TreeNode& item);

}  // namespace magneto::server::tools::schema
