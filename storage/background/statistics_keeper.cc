#include "storage/background/statistics_keeper.h"

#include <algorithm>
#include <string>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/messages/background_messages.h"
#include "storage/model/charged_sizes.h"

namespace magneto::storage {
namespace {

constexpr std::string_view kCleanCloseCounter = "clean-close";

// Calls `visit` with the key and statistics of the table and of each of its indexes.
template <typename Visit>
void visit_statistics(const Table& table, Visit visit) {
  const std::uint32_t number = table.schema.number;
  visit(std::pair<std::uint32_t, std::uint16_t>(number, 0), table.statistics);
  for (const auto& index : table.indexes) {
    visit(std::pair(number, index->schema.number), index->statistics);
  }
}

}  // namespace

StatisticsKeeper::StatisticsKeeper(Engine& engine, const Catalog& catalog)
    : engine_(engine),
      catalog_(catalog),
      system_(engine.is_durable() ? engine.open_tree(ColumnFamily::kSystem, "") : nullptr) {}

std::optional<StatisticsKeeper::Numbers> StatisticsKeeper::stored(Key key) const {
  const PinnedValue record = engine_.get(*system_, statistics_key(key.first, key.second));
  if (!record) return std::nullopt;
  Numbers numbers;
  if (record.bytes().size() == 2 * sizeof(std::uint64_t)) {
    numbers.items = static_cast<std::int64_t>(read_uint64(record.bytes()));
    numbers.bytes =
        static_cast<std::int64_t>(read_uint64(record.bytes().substr(sizeof(std::uint64_t))));
  }
  if (key.second != 0) return numbers;
  const PinnedValue vectors = engine_.get(*system_, vector_statistics_key(key.first));
  if (vectors && vectors.bytes().size() == sizeof(std::uint64_t)) {
    numbers.vectors = static_cast<std::int64_t>(read_uint64(vectors.bytes()));
  }
  return numbers;
}

StatisticsKeeper::Numbers StatisticsKeeper::numbers_of(const Statistics& statistics) {
  Numbers numbers{statistics.item_count, statistics.size_bytes};
  const std::int64_t vectors = statistics.vector_bytes;
  if (vectors != 0 || statistics.sized_for != 0) numbers.vectors = vectors;
  return numbers;
}

// A directory of an older version has no record of a table's vectors.
void StatisticsKeeper::load_vectors(bool is_clean) const {
  for (const TablePtr& table : catalog_.tables()) {
    const auto saved = saved_.find({table->schema.number, 0});
    const bool is_stored = saved != saved_.end() && saved->second.vectors;
    const bool is_exact = is_stored ? is_clean : table->statistics->sized_for == 0;
    if (!is_exact) table->statistics->sized_for = Statistics::kUnsized;
  }
}

bool StatisticsKeeper::are_all_sized() const {
  return std::ranges::all_of(catalog_.tables(), [](const TablePtr& table) {
    return table->statistics->sized_for == ChargedSizes(table->schema).fingerprint();
  });
}

// A store without tables needs no count.
void StatisticsKeeper::load_shared(bool is_clean) {
  if (is_clean) return;
  if (!catalog_.tables().empty()) throw EngineError(messages::kUncounted);
  WriteBatch batch;
  batch.put(system_, counter_key(kCleanCloseCounter), "");
  engine_.commit(batch);
}

std::vector<StatisticsKeeper::Place> StatisticsKeeper::sum_up(
    const std::vector<TablePtr>& tables) const {
  std::vector<Place> places;
  std::vector<std::string> keys;
  for (const TablePtr& table : tables) {
    visit_statistics(*table, [&](Key key, const std::shared_ptr<Statistics>& statistics) {
      places.push_back({key, statistics, {}});
      keys.push_back(statistics_key(key.first, key.second));
    });
  }
  const std::vector<Engine::Counted> sums = engine_.counted(keys);
  for (std::size_t i = 0; i < places.size(); ++i) places[i].sum = sums[i];
  return places;
}

void StatisticsKeeper::refresh(const std::vector<TablePtr>& tables) {
  const std::vector<Place> places = sum_up(tables);
  const std::lock_guard lock(mutex_);
  for (const Place& place : places) {
    const auto known = saved_.find(place.key);
    set(place, known == saved_.end() ? Numbers() : known->second);
  }
}

StatisticsKeeper::Numbers StatisticsKeeper::set(const Place& place, const Numbers& base) {
  const Numbers numbers{base.items + place.sum.items, base.bytes + place.sum.bytes, base.vectors};
  place.statistics->item_count = numbers.items;
  place.statistics->size_bytes = numbers.bytes;
  place.statistics->vector_bytes = numbers.vectors.value_or(0);
  return numbers;
}

void StatisticsKeeper::refresh(const Table& table) {
  if (engine_.group() == nullptr) return;
  if (const TablePtr current = catalog_.current(table)) refresh(std::vector{current});
}

void StatisticsKeeper::refresh() {
  if (engine_.group() != nullptr) refresh(catalog_.tables());
}

void StatisticsKeeper::load() {
  if (system_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  const PinnedValue mark = engine_.get(*system_, counter_key(kCleanCloseCounter));
  const bool clean = static_cast<bool>(mark);
  if (clean) last_close_ = mark.bytes();
  const bool is_shared = engine_.group() != nullptr;
  if (is_shared) load_shared(clean);
  bool has_sums = false;
  for (const Place& place : sum_up(catalog_.tables())) {
    const std::optional<Numbers> record = stored(place.key);
    if (record) saved_.emplace(place.key, *record);
    const Numbers numbers = set(place, record.value_or(Numbers()));
    has_sums = has_sums || place.sum != Engine::Counted();
    if (!is_shared && !clean) opened_.push_back({place.key, place.statistics, numbers});
  }
  load_vectors(clean);
  if (!opened_.empty()) {
    for (const ColumnFamily family : {ColumnFamily::kItems, ColumnFamily::kIndexes}) {
      const TreePtr whole = engine_.open_tree(family, "");
      cursors_.push_back(engine_.scan(*whole, {}, {}, Direction::kForward,
                                      {.entries = 0, .bytes = 0, .is_single_pass = true}));
    }
  }
  if (is_shared) return;
  if (clean) {
    WriteBatch batch;
    Counts written;
    append_changed(batch, written);
    batch.remove(system_, counter_key(kCleanCloseCounter));
    engine_.commit(batch);
    saved_ = std::move(written);
  }
  if (has_sums) engine_.forget_counted("");
}

bool StatisticsKeeper::needs_recount() const {
  const std::lock_guard lock(mutex_);
  return !opened_.empty();
}

bool StatisticsKeeper::count(Cursor& cursor, Counts& counts, CountPauses& pauses,
                             const std::stop_token& stop) const {
  std::string prefix;
  Numbers* numbers = nullptr;
  while (cursor.next()) {
    pauses.wait(stop);
    if (stop.stop_requested()) return false;
    const std::string_view key = cursor.key();
    if (key.substr(0, kTreePrefixSize) != prefix) {
      prefix = key.substr(0, kTreePrefixSize);
      numbers = &counts[{read_uint32(prefix),
                         read_uint16(std::string_view(prefix).substr(sizeof(std::uint32_t)))}];
    }
    numbers->items += 1;
    numbers->bytes += static_cast<std::int64_t>(decode_item_size(cursor.value()));
  }
  return true;
}

void StatisticsKeeper::recount(CountPauses& pauses, const std::stop_token& stop) {
  std::vector<std::unique_ptr<Cursor>> cursors;
  {
    const std::lock_guard lock(mutex_);
    cursors.swap(cursors_);
  }
  if (cursors.empty()) return;  // a failure ended the count; the next opening counts again
  Counts counts;
  for (const auto& cursor : cursors) {
    if (!count(*cursor, counts, pauses, stop)) return;
  }
  const std::lock_guard lock(mutex_);
  for (const Opened& opened : opened_) {
    const Numbers counted = counts[opened.key];
    opened.statistics->item_count += counted.items - opened.believed.items;
    opened.statistics->size_bytes += counted.bytes - opened.believed.bytes;
  }
  opened_.clear();
}

void StatisticsKeeper::append_changed(WriteBatch& batch, Counts& written) const {
  for (const TablePtr& table : catalog_.tables()) {
    visit_statistics(*table, [&](Key key, const std::shared_ptr<Statistics>& statistics) {
      const Numbers now = numbers_of(*statistics);
      const auto saved = saved_.find(key);
      written.emplace(key, now);
      if (saved != saved_.end() && saved->second == now) return;
      if (now.vectors) {
        std::string vectors;
        append_uint64(vectors, static_cast<std::uint64_t>(*now.vectors));
        batch.put(system_, vector_statistics_key(key.first), std::move(vectors));
      } else if (saved != saved_.end() && saved->second.vectors) {
        batch.remove(system_, vector_statistics_key(key.first));
      }
      std::string record;
      append_uint64(record, static_cast<std::uint64_t>(now.items));
      append_uint64(record, static_cast<std::uint64_t>(now.bytes));
      batch.put(system_, statistics_key(key.first, key.second), std::move(record));
    });
  }
}

void StatisticsKeeper::save() {
  if (system_ == nullptr || engine_.group() != nullptr) return;
  const std::lock_guard lock(mutex_);
  WriteBatch batch;
  Counts written;
  append_changed(batch, written);
  if (batch.empty()) return;
  engine_.commit(batch);
  saved_ = std::move(written);
}

void StatisticsKeeper::close(const std::string& id) {
  if (system_ == nullptr || engine_.group() != nullptr) return;
  const std::lock_guard lock(mutex_);
  WriteBatch batch;
  Counts written;
  append_changed(batch, written);
  if (opened_.empty() && are_all_sized()) {
    batch.put(system_, counter_key(kCleanCloseCounter), id);
  }
  if (!batch.empty()) engine_.commit(batch);
  saved_ = std::move(written);
}

}  // namespace magneto::storage
