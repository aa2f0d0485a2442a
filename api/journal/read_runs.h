#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "api/journal/journal.h"

namespace magneto::api {

// Successive reads of one table by one caller that differ in the key alone ("N+1"). Requests on
// other tables in between do not matter: a loop may read several tables in turn.
struct ReadRun {
  std::string_view operation;
  std::string_view table;
  std::size_t keys = 0;                // different ones
  std::vector<std::uint64_t> records;  // their numbers
};

// The runs of at least `limit` keys in records in their order; must not outlive the records.
std::vector<ReadRun> find_read_runs(std::span<const Journal::Record> records, std::int64_t limit);

}  // namespace magneto::api
