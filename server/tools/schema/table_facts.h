#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/bulk/operations.h"

namespace magneto::server::tools::schema {

// The defining settings of a table, as DescribeTable and similar operations return them: each
// setting's path, with its JSON. Names, sizes, counts, times and ARNs are left out. So two equal
// tables have the same facts, however they were created and changed.
using TableFacts = std::map<std::string, std::string>;

// The facts in DescribeTable's member "Table", without tags and time to live.
TableFacts described_facts(api::json::Value table);

// The facts of a table, which must be ACTIVE.
TableFacts facts_of(const std::string& table, bulk::Operations& operations);

// One sentence for each setting that differs.
std::vector<std::string> differences(const TableFacts& in_store, const TableFacts& in_file);

}  // namespace magneto::server::tools::schema
