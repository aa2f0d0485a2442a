#include "storage/engine/postgres/shared_scope.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "storage/engine/postgres/commit_connection.h"
#include "storage/engine/postgres/postgres_reads.h"
#include "storage/model/effort.h"

namespace magneto::storage {

// ---- conflicts -----------------------------------------------------------------------------------

std::vector<std::size_t> ConflictCounts::places_of(std::span<const std::string_view> keys) {
  std::vector<std::size_t> places;
  places.reserve(keys.size());
  for (const std::string_view key : keys) {
    places.push_back(absl::HashOf(absl::string_view(key.data(), key.size())) % kSize);
  }
  return places;
}

bool ConflictCounts::are_many(std::span<const std::size_t> places) const {
  return std::ranges::any_of(places, [this](std::size_t place) {
    return counts_[place].load(std::memory_order_relaxed) >= kMany;
  });
}

void ConflictCounts::add(std::span<const std::size_t> places) {
  for (const std::size_t place : places) {
    const std::uint8_t count = counts_[place].load(std::memory_order_relaxed);
    if (count < kMany) counts_[place].store(count + 1, std::memory_order_relaxed);
  }
}

void ConflictCounts::clear(std::span<const std::size_t> places) {
  for (const std::size_t place : places) {
    if (counts_[place].load(std::memory_order_relaxed) != 0) {
      counts_[place].store(0, std::memory_order_relaxed);
    }
  }
}

// ---- reading -------------------------------------------------------------------------------------

void SharedScope::read(ColumnFamily family, std::span<const std::string_view> keys,
                       std::span<FoundRow> rows) {
  context_.read(family, keys, rows);
}

void SharedScope::get(std::span<const KeyRead> reads, std::span<PinnedValue> values) {
  std::vector<KeyRead> others;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (SharedStatements::is_guarded(reads[i].tree->family())) continue;
    others.push_back(reads[i]);
    places.push_back(i);
  }
  if (others.size() != reads.size()) {
    for (const ColumnFamily family : SharedStatements::kGuarded) {
      read_guarded(family, reads, values);
    }
  }
  if (others.empty()) return;
  std::vector<PinnedValue> found(others.size());
  get_with([this](ColumnFamily family, std::span<const std::string_view> keys,
                  std::span<FoundRow> rows) { read(family, keys, rows); },
           others, found);
  for (std::size_t i = 0; i < places.size(); ++i) values[places[i]] = std::move(found[i]);
}

void SharedScope::read_guarded(ColumnFamily family, std::span<const KeyRead> reads,
                               std::span<PinnedValue> values) {
  std::vector<std::string_view> keys;
  for (const KeyRead& read : reads) {
    if (read.tree->family() == family) keys.push_back(read.key);
  }
  if (keys.empty()) return;
  ++reads_;
  std::vector<FoundRow> rows(keys.size());
  read(family, keys, rows);
  auto row = rows.begin();
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (reads[i].tree->family() != family) continue;
    guard(family, reads[i].key, row->version);
    values[i] = std::move(row->value);
    ++row;
  }
}

void SharedScope::guard(ColumnFamily family, std::string_view key, std::int64_t version) {
  for (const RowGuard& known : guards_) {
    if (known.family != family || known.key != key) continue;
    if (known.version != version) is_stale_ = true;
    return;
  }
  guards_.push_back({family, std::string(key), version});
}

// ---- committing ----------------------------------------------------------------------------------

Version SharedScope::draw(std::size_t count) {
  Effort::before_waiting();
  const Version first = context_.versions.draw(count, newest_read());
  drawn_.push_back(first);
  last_ = first + (count - 1) * kVersionStep;
  return first;
}

void SharedScope::draw_for(const WriteBatch& batch) {
  const auto is_record = [](const WriteBatch::Operation& operation) {
    return operation.tree->family() == ColumnFamily::kSystem;
  };
  if (!std::ranges::all_of(batch.operations(), is_record)) {
    draw(1);
    return;
  }
  last_ = context_.versions.draw_at_once(newest_read());
  drawn_.push_back(last_);
}

Version SharedScope::newest_read() const {
  std::int64_t newest = 0;
  for (const RowGuard& guard : guards_) newest = std::max(newest, guard.version);
  return static_cast<Version>(newest);
}

void SharedScope::finish() {
  for (const Version first : drawn_) context_.versions.finish(first);
  drawn_.clear();
}

CommitResult SharedScope::commit(const WriteBatch& batch) {
  Effort::before_waiting();
  bool has_won = !is_stale_;
  if (has_won) {
    if (batch.empty() && batch.counts().empty()) {
      has_won = reads_ <= 1 || are_unchanged();
    } else {
      if (drawn_.empty()) draw_for(batch);
      try {
        has_won = try_commit({&batch, guards_, last_});
      } catch (const StoreTaken&) {
        drawn_.clear();  // the outcome is not known: the versions stay in progress
        throw;
      }
    }
  }
  finish();
  if (has_won) {
    context_.conflicts.clear(places_);
    return CommitResult::kCommitted;
  }
  context_.conflicts.add(places_);
  return CommitResult::kConflict;
}

bool SharedScope::try_commit(const ScopeWrite& write) { return context_.commit(write); }

bool SharedScope::are_unchanged() {
  std::array<std::vector<std::string_view>, 2> keys;
  const auto place_of = [](ColumnFamily family) {
    return family == SharedStatements::kGuarded[0] ? std::size_t{0} : std::size_t{1};
  };
  for (const RowGuard& guard : guards_) keys[place_of(guard.family)].push_back(guard.key);
  Arguments arguments;
  for (const auto& of_family : keys) arguments.add_array(of_family);
  const QueryResult found = context_.run(context_.statements.read_versions(), arguments);
  std::map<std::pair<std::size_t, std::string_view>, std::int64_t> versions;
  for (std::size_t row = 0; row < found.rows(); ++row) {
    versions.emplace(std::pair(static_cast<std::size_t>(found.number(row, 0)), found.bytes(row, 1)),
                     found.number(row, 2));
  }
  return std::ranges::all_of(guards_, [&](const RowGuard& guard) {
    const auto version =
        versions.find(std::pair(place_of(guard.family), std::string_view(guard.key)));
    return (version == versions.end() ? 0 : version->second) == guard.version;
  });
}

}  // namespace magneto::storage
