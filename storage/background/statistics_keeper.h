#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "storage/background/count_pauses.h"
#include "storage/engine/engine.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// Keeps the statistics of tables and indexes across restarts of a durable engine; does nothing for
// another engine. They are written from time to time and when the database closes:
//
//   record := items:8 bytes:8              under statistics_key(table, index), big-endian
//   vectors := bytes:8                     under vector_statistics_key(table), if it has or had any
//
// A cleanly closed database leaves a mark, whose value is the id of the close where there are files
// that repeat it (engine/computed_files.h). Older versions leave an empty one. Without the mark the
// records may be slightly old, so the background counts all entries again. Its cursors show the state
// at the opening; the live numbers have later changes. background/vector_sizes counts vectors where
// the keeper found no exact number.
//
// Servers that share a store count each commit in the store (WriteBatch::count()). The records stay
// as they are then, with their mark. The next server that uses the store alone adds the sums to them.
// Thread-safe.
class StatisticsKeeper {
 public:
  StatisticsKeeper(Engine& engine, const Catalog& catalog);

  // Called once, after Catalog::load() and before any write: reads the records and removes the
  // mark. Throws EngineError.
  void load();
  // The value of the mark that load() found; empty if there was no mark.
  const std::string& last_close() const { return last_close_; }

  // For a store that servers share: brings the statistics of a table, or of all tables, up to date with
  // the commits of all servers. May wait for the store. Throws EngineError.
  void refresh(const Table& table);
  void refresh();

  // True if load() found no mark, until recount() has finished.
  bool needs_recount() const;
  // Counts all entries. Rests during pauses. If `stop` is requested or it throws EngineError, the
  // next opening counts again.
  void recount(CountPauses& pauses, const std::stop_token& stop);

  // Writes the numbers that have changed since they were last written.
  void save();
  // Called after all writers: save() and leave the mark with the id of the close, unless a recount
  // is due.
  void close(const std::string& id);

 private:
  struct Numbers {
    std::int64_t items = 0;
    std::int64_t bytes = 0;
    std::optional<std::int64_t> vectors{};  // nullopt: no record
    friend bool operator==(const Numbers&, const Numbers&) = default;
  };
  using Key = std::pair<std::uint32_t, std::uint16_t>;  // numbers of table and index
  struct Opened {
    Key key;
    std::shared_ptr<Statistics> statistics;
    Numbers believed;  // when the database was opened
  };
  using Counts = absl::flat_hash_map<Key, Numbers>;

  std::optional<Numbers> stored(Key key) const;
  static Numbers numbers_of(const Statistics& statistics);
  void load_vectors(bool is_clean) const;
  bool are_all_sized() const;
  void load_shared(bool is_clean);
  void refresh(const std::vector<TablePtr>& tables);
  // The statistics of a table or index, with its commits that were counted in the store.
  struct Place {
    Key key;
    std::shared_ptr<Statistics> statistics;
    Engine::Counted sum;
  };
  std::vector<Place> sum_up(const std::vector<TablePtr>& tables) const;
  static Numbers set(const Place& place, const Numbers& base);
  bool count(Cursor& cursor, Counts& counts, CountPauses& pauses,
             const std::stop_token& stop) const;
  void append_changed(WriteBatch& batch, Counts& written) const;

  Engine& engine_;
  const Catalog& catalog_;
  const TreePtr system_;  // nullptr if the engine is not durable
  std::string last_close_;
  mutable std::mutex mutex_;  // guards the next members
  Counts saved_;
  std::vector<Opened> opened_;                    // while a recount is due
  std::vector<std::unique_ptr<Cursor>> cursors_;  // of the state at the opening
};

}  // namespace magneto::storage
