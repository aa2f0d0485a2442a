#include "storage/engine/postgres/postgres_reads.h"

#include <array>
#include <map>
#include <vector>

namespace magneto::storage {
namespace {

// The values of a family's keys, of which a key may be read twice.
void read_many(const Statement& statement, std::span<const KeyRead> reads,
               std::span<const std::size_t> places, std::span<PinnedValue> values,
               const RunRead& run) {
  std::vector<std::string_view> keys;
  keys.reserve(places.size());
  for (const std::size_t place : places) keys.push_back(reads[place].key);
  Arguments arguments;
  arguments.add_array(keys);
  const QueryResult found = run(statement, arguments);
  std::map<std::string_view, std::size_t> rows;
  for (std::size_t row = 0; row < found.rows(); ++row) rows.emplace(found.bytes(row, 0), row);
  for (const std::size_t place : places) {
    const auto row = rows.find(reads[place].key);
    values[place] = row == rows.end() ? PinnedValue() : found.pin(row->second, 1);
  }
}

}  // namespace

void get_with(const RunRead& run, const Statements& statements, std::span<const KeyRead> reads,
              std::span<PinnedValue> values) {
  std::array<std::vector<std::size_t>, kFamilyCount> places;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    places[static_cast<std::size_t>(reads[i].tree->family())].push_back(i);
  }
  for (std::size_t family = 0; family < kFamilyCount; ++family) {
    if (places[family].empty()) continue;
    read_many(statements.get_many(static_cast<ColumnFamily>(family)), reads, places[family], values,
              run);
  }
}

PinnedValue get_with(const RunRead& run, const Statements& statements, const Tree& tree,
                     std::string_view key) {
  Arguments arguments;
  arguments.add_bytes(key);
  const QueryResult found = run(statements.get(tree.family()), arguments);
  return found.rows() == 0 ? PinnedValue() : found.pin(0, 0);
}

}  // namespace magneto::storage
