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
  // Sentences with keys of items that differ, at most kMaxDifferences; empty too when the tables
  // changed meanwhile.
  std::vector<std::string> differences;
};

inline constexpr std::size_t kMaxDifferences = 20;  // of a table

// Reads the target's table whole and compares the digests: with that of what the copy read, or, if
// the source was followed, with one of the source read again. Where they differ, the items that do
// are looked for: a page of one side with the items under its keys on the other, so in little
// memory. `meanwhile` is called in this thread every now and then. Throws std::runtime_error, a
// sentence, and Stopped.
Verification verify_table(const CopyContext& context, const std::string& table,
                          const formats::KeyNames& keys, const std::function<void()>& meanwhile);

}  // namespace magneto::server::tools
