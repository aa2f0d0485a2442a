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
  std::string json;  // in the form of PutItem
};

// A table of a file, as the requests that create it.
struct TableDefinition {
  std::string file;
  std::uint32_t line = 0;
  std::string name;
  std::string create;        // CreateTable
  std::string time_to_live;  // UpdateTimeToLive; empty: none
  std::string recovery;      // UpdateContinuousBackups; empty: none
  // UpdateContributorInsights, for the table and for its indexes.
  std::vector<std::string> insights;
  std::vector<SeedItem> items;

  std::string place() const { return file + ":" + std::to_string(line); }
};

// Receives warnings about skipped parts of a file, one sentence each.
using Warn = std::function<void(std::uint32_t line, const std::string& what)>;

// Makes a definition from the form that all kinds of files are converted to. The form has the
// members of CreateTable, and additionally TimeToLiveSpecification,
// PointInTimeRecoverySpecification, ContributorInsightsSpecification (also for global indexes) and
// Items, a list of items as in PutItem. Texts become numbers and booleans if the request has them
// there. Members with other names are left out with a warning; a name that is similar to a known
// one is an error. CreateTable checks the values. The definition has no file yet. Throws
// SchemaError.
TableDefinition make_table(const TreeNode& table, const Warn& warn);

// Sets UpdateTimeToLive from a TimeToLiveSpecification; none if that is null or disabled.
void set_time_to_live(TableDefinition& table, const TreeNode& specification, const Warn& warn);

// The JSON of one item, whose attribute values have their types: {"pk": {"S": "a"}}.
std::string item_json(const TreeNode& item);

}  // namespace magneto::server::tools::schema
