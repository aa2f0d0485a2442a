#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/http_load.h"

// The work that is measured: a table of items of about 250 bytes, 100 for each partition key.
namespace magneto::bench {

inline constexpr std::size_t kItemsPerPartition = 100;

// Names of the works, in the order the report lists them.
const std::vector<std::string_view>& workload_names();

// Creates the tables and loads `items` items into each (BatchWriteItem); without the index only the
// plain table.
void load(const Target& target, std::size_t items, bool with_index);

// So many different requests of one work over tables of `items` items. Throws std::invalid_argument
// for an unknown name.
Workload make_workload(std::string_view name, std::size_t items, std::size_t requests);

}  // namespace magneto::bench
