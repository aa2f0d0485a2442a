#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/clock.h"
#include "storage/database.h"
#include "storage/database_options.h"
#include "storage/database_statistics.h"
#include "storage/engine/engine.h"

namespace magneto::storage {

// Thrown where one database more is asked for than there can be. Nothing is changed.
class TooManyDatabases : public std::exception {
 public:
  const char* what() const noexcept override { return "there are too many databases"; }
};

// A store and the databases in it: the main one, and those that were made under a name. They share
// the engine, its directory, its memory and the threads of the background; a database beside the
// main one is a number in the keys of its tables' records and costs some 200 bytes. Thread-safe.
//
// A database is never removed while the process runs, so what find() returned stays good. At the
// next start one in which there is neither a table nor a stream is forgotten.
class Databases final {
 public:
  // Beside the main one.
  static constexpr std::size_t kMaxDatabases = 10'000;
  static constexpr std::size_t kMaxNameSize = 256;  // bytes

  // Opens (or creates) the data directory; throws EngineError with a sentence for the user.
  static std::unique_ptr<Databases> open(const DatabaseOptions& options, const Clock& clock);
  // As above, over this engine; options about the data directory are not looked at.
  static std::unique_ptr<Databases> open(const DatabaseOptions& options, const Clock& clock,
                                         std::unique_ptr<Engine> engine);
  // Ends all background work and, with a data directory, closes that cleanly. No call may be under
  // way in any database.
  ~Databases();

  // The one without a name, number 0. All there is in a store in which no other was ever made.
  Database& main() { return main_; }
  // One that has nothing, to be read where find() finds none.
  Database& empty() { return empty_; }

  // nullptr when none was made under that name. Takes no lock: cheap enough for every request.
  Database* find(std::string_view name) const;

  // The same, made where there is none, and durable when this returns. Waits for the disk then. The
  // name is at most kMaxNameSize long. Throws TooManyDatabases and EngineError.
  Database& make(std::string_view name);

  // Of all databases; at most `max_tables` tables singly. May wait for the disk.
  StoreStatistics statistics(std::size_t max_tables) const;
  // As Engine::describe_refusal; with data in memory, also when room() has none left.
  std::string describe_refusal();

  std::size_t count() const { return count_.load(std::memory_order_relaxed); }  // beside the main

  // All but `except` that have a table of that name, at most `limit`, the main one first. Walks all
  // databases.
  std::vector<const Database*> with_table(std::string_view table_name, const Database& except,
                                          std::size_t limit) const;

 private:
  // A chain for each hash, at whose head new ones are put: readers need no lock.
  struct Entry {
    Entry(DatabaseStore& store, std::uint32_t number, std::string name)
        : database(store, number, std::move(name)) {}
    Database database;
    Entry* next = nullptr;
  };
  static constexpr std::size_t kChains = 4096;
  using Chain = std::atomic<Entry*>;

  explicit Databases(std::unique_ptr<DatabaseStore> store);
  Chain& chain_of(std::string_view name) const;
  void load();
  // Both require mutex_.
  void add(std::uint32_t number, std::string_view name);
  void store_name(std::uint32_t number, std::string_view name);

  const std::unique_ptr<DatabaseStore> store_;
  const TreePtr system_;  // nullptr when the engine is not durable
  Database main_;
  Database empty_;
  const std::unique_ptr<std::array<Chain, kChains>> chains_ =
      std::make_unique<std::array<Chain, kChains>>();
  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;  // guards what follows, and who may change the chains; held while committing
  std::vector<std::unique_ptr<Entry>> entries_;
  std::uint32_t last_number_ = 0;
};

}  // namespace magneto::storage
