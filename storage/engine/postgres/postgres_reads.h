#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "storage/engine/postgres/postgres_cursor.h"
#include "storage/engine/postgres/statements.h"

namespace magneto::storage {

// A row as it was read. Without a row the version is 0. Rows of removed keys have no value.
struct FoundRow {
  std::int64_t version = 0;
  PinnedValue value;
};

// The rows in a result of Statements::read(), by their keys.
class FoundRows {
 public:
  explicit FoundRows(QueryResult result);
  FoundRow find(std::string_view key) const;

 private:
  const QueryResult result_;
  absl::flat_hash_map<absl::string_view, std::size_t> places_;
};

// Reads rows of one family at one moment, for keys that may be equal. `rows` has as many elements as
// `keys`. Throws EngineError.
using ReadRows = std::function<void(ColumnFamily family, std::span<const std::string_view> keys,
                                    std::span<FoundRow> rows)>;

// ReadRows by a statement that `run` executes.
void read_rows(const RunRead& run, const Statements& statements, ColumnFamily family,
               std::span<const std::string_view> keys, std::span<FoundRow> rows);

// Engine::get(): in one step for each family.
void get_with(const ReadRows& read, std::span<const KeyRead> reads, std::span<PinnedValue> values);
PinnedValue get_with(const ReadRows& read, const Tree& tree, std::string_view key);

}  // namespace magneto::storage
