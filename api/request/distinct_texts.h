#pragma once

#include <cstddef>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"

namespace magneto::api {

// Finds texts that repeat. abseil hashes its own string_view several times as fast as the
// library's.
class DistinctTexts {
 public:
  explicit DistinctTexts(std::size_t count) { seen_.reserve(count); }

  // False if the same text was added before. Keeps a view of the text.
  bool add(std::string_view text) { return seen_.emplace(text.data(), text.size()).second; }

 private:
  absl::flat_hash_set<absl::string_view> seen_;
};

}  // namespace magneto::api
