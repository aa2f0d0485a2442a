#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "storage/engine/engine.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// Keeps the statistics of tables and indexes over restarts of a durable engine; does nothing for
// another. They are written from time to time and when the database closes:
//
//   record := items:8 bytes:8              under statistics_key(table, index), big-endian
//
// A database closed cleanly leaves a mark. Without it the records may be a little old, so all
// entries are counted again in the background, from cursors that show the state at the opening, and
// what has happened since is in the live numbers. Thread-safe.
class StatisticsKeeper {
 public:
  StatisticsKeeper(Engine& engine, const Catalog& catalog);

  // Once, after Catalog::load() and before anything is written: reads the records and takes the
  // mark away. Throws EngineError.
  void load();

  // True until recount() has finished, when load() found no mark.
  bool needs_recount() const;
  // Counts all entries. When `stop` is asked for, or it throws EngineError, the count is due again
  // at the next opening.
  void recount(const std::stop_token& stop);

  // Writes what has changed since it was last written.
  void save();
  // When nothing writes any more: save() and leave the mark, unless a recount is due.
  void close();

 private:
  struct Numbers {
    std::int64_t items = 0;
    std::int64_t bytes = 0;
    friend bool operator==(const Numbers&, const Numbers&) = default;
  };
  using Key = std::pair<std::uint32_t, std::uint16_t>;  // numbers of table and index
  struct Opened {
    Key key;
    std::shared_ptr<Statistics> statistics;
    Numbers believed;  // when the database was opened
  };
  using Counts = absl::flat_hash_map<Key, Numbers>;

  bool count(Cursor& cursor, Counts& counts, const std::stop_token& stop) const;
  void append_changed(WriteBatch& batch, Counts& written) const;

  Engine& engine_;
  const Catalog& catalog_;
  const TreePtr system_;      // nullptr when the engine is not durable
  mutable std::mutex mutex_;  // guards what follows
  Counts saved_;
  std::vector<Opened> opened_;                    // while a recount is due
  std::vector<std::unique_ptr<Cursor>> cursors_;  // as they were at the opening
};

}  // namespace magneto::storage
