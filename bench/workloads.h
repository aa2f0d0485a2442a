#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/http_load.h"

// The measured workloads: a table of items of about 250 bytes, 100 for each partition key.
namespace magneto::bench {

inline constexpr std::size_t kItemsPerPartition = 100;

// The names of the workloads, in the order of the report. There is also PutIndexed, a PutItem into
// the indexed table, for reports of its own.
const std::vector<std::string_view>& workload_names();

// Creates the tables and loads `items` items into each (BatchWriteItem). Without the index, it
// creates only the plain table. With the stream, the indexed table has one.
void load(const Target& target, std::size_t items, bool with_index, bool with_stream);

// `requests` different requests of one workload over tables of `items` items. Throws
// std::invalid_argument for an unknown name.
Workload make_workload(std::string_view name, std::size_t items, std::size_t requests);

}  // namespace magneto::bench
