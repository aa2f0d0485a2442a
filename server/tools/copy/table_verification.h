#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "server/formats/item_key.h"
#include "server/tools/copy/table_copy.h"

namespace magneto::server::tools {

struct Verification {
  bool is_equal = false;
  ItemDigest source;
  ItemDigest target;
  // Sentences with keys of items that differ, at most kMaxDifferences. Also empty if the tables
  // changed in the meantime.
  std::vector<std::string> differences;
};

inline constexpr std::size_t kMaxDifferences = 20;  // of a table

// Reads the target's whole table and compares its digest with that of the copied items or, if the
// source was followed, with that of a new read of the source. If they differ, it searches the
// different items. For that it compares a page of one side with the items under the same keys on
// the other, so it needs little memory. `meanwhile` is called regularly on this thread. Throws
// Stopped, and std::runtime_error with a sentence.
Verification verify_table(const CopyContext& context, const std::string& table,
                          const formats::KeyNames& keys, const std::function<void()>& meanwhile);

}  // namespace magneto::server::tools
