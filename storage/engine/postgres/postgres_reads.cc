#include "storage/engine/postgres/postgres_reads.h"

#include <array>
#include <utility>
#include <vector>

namespace magneto::storage {
namespace {

// The columns of Statements::read().
constexpr int kKey = 0;
constexpr int kVersion = 1;
constexpr int kValue = 2;

absl::string_view as_key(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

}  // namespace

FoundRows::FoundRows(QueryResult result) : result_(std::move(result)) {
  places_.reserve(result_.rows());
  for (std::size_t row = 0; row < result_.rows(); ++row) {
    places_.emplace(as_key(result_.bytes(row, kKey)), row);
  }
}

FoundRow FoundRows::find(std::string_view key) const {
  const auto place = places_.find(as_key(key));
  if (place == places_.end()) return {};
  const std::size_t row = place->second;
  return {result_.number(row, kVersion),
          result_.is_null(row, kValue) ? PinnedValue() : result_.pin(row, kValue)};
}

void read_rows(const RunRead& run, const Statements& statements, ColumnFamily family,
               std::span<const std::string_view> keys, std::span<FoundRow> rows) {
  Arguments arguments;
  if (keys.size() == 1) {
    arguments.add_bytes(keys.front());
  } else {
    arguments.add_array(keys);
  }
  const FoundRows found(
      run(keys.size() == 1 ? statements.read_one(family) : statements.read(family), arguments));
  for (std::size_t i = 0; i < keys.size(); ++i) rows[i] = found.find(keys[i]);
}

void get_with(const ReadRows& read, std::span<const KeyRead> reads, std::span<PinnedValue> values) {
  std::array<std::vector<std::size_t>, kFamilyCount> places;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    places[static_cast<std::size_t>(reads[i].tree->family())].push_back(i);
  }
  for (std::size_t family = 0; family < kFamilyCount; ++family) {
    if (places[family].empty()) continue;
    std::vector<std::string_view> keys;
    keys.reserve(places[family].size());
    for (const std::size_t place : places[family]) keys.push_back(reads[place].key);
    std::vector<FoundRow> rows(keys.size());
    read(static_cast<ColumnFamily>(family), keys, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      values[places[family][i]] = std::move(rows[i].value);
    }
  }
}

PinnedValue get_with(const ReadRows& read, const Tree& tree, std::string_view key) {
  FoundRow row;
  read(tree.family(), {&key, 1}, {&row, 1});
  return std::move(row.value);
}

}  // namespace magneto::storage
