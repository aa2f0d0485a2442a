#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/http_load.h"

// The measured workloads: a table of items of about 250 bytes, 100 for each partition key.
namespace magneto::bench {

inline constexpr std::size_t kItemsPerPartition = 100;

// The names of the workloads, in the order of the report.
const std::vector<std::string_view>& workload_names();

// Creates the tables and loads `items` items into each (BatchWriteItem). Without the index, it
// creates only the plain table.
void load(const Target& target, std::size_t items, bool with_index);

// `requests` different requests of one workload over tables of `items` items. Throws
// std::invalid_argument for an unknown name.
Workload make_workload(std::string_view name, std::size_t items, std::size_t requests);

}  // namespace magneto::bench
