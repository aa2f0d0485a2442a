#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/bulk/operations.h"

namespace magneto::server::tools::schema {

// What makes a table what it is, as DescribeTable and its like tell: each setting by its path, with
// its JSON. Names, sizes, counts, times and ARNs are left out, so two tables that were made and
// changed in different ways, and are alike, have the same facts.
using TableFacts = std::map<std::string, std::string>;

// What DescribeTable's member "Table" tells of them, without tags and time to live.
TableFacts described_facts(api::json::Value table);

// Of a table that is ACTIVE.
TableFacts facts_of(const std::string& table, bulk::Operations& operations);

// A sentence for each setting in which they differ.
std::vector<std::string> differences(const TableFacts& in_store, const TableFacts& in_file);

}  // namespace magneto::server::tools::schema
