#include "storage/databases.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "storage/database_store.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/rocksdb/data_directory.h"
#include "storage/messages/memory_messages.h"
#include "storage/messages/record_messages.h"
#include "storage/model/effort.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::string_view kCounter = "database";

}  // namespace

Databases::Databases(std::unique_ptr<DatabaseStore> store)
    : store_(std::move(store)),
      system_(store_->engine->is_durable()
                  ? store_->engine->open_tree(ColumnFamily::kSystem, "", "", "")
                  : nullptr),
      main_(*store_, 0, ""),
      empty_(*store_, Database::kEmptyNumber, "") {}

Databases::~Databases() = default;

std::unique_ptr<Databases> Databases::open(const DatabaseOptions& options, const Clock& clock) {
  return open(options, clock, open_engine_for(options));
}

std::unique_ptr<Databases> Databases::open(const DatabaseOptions& options, const Clock& clock,
                                           std::unique_ptr<Engine> engine) {
  std::unique_ptr<Databases> databases(
      new Databases(std::make_unique<DatabaseStore>(options, clock, std::move(engine))));
  databases->load();
  return databases;
}

StoreStatistics Databases::statistics(std::size_t max_tables) const {
  return measure(*store_, max_tables);
}

std::string Databases::describe_refusal() {
  if (!store_->engine->is_durable() && store_->writer.room().is_full()) {
    return messages::kMemoryFull;
  }
  return store_->engine->describe_refusal();
}

// The names first: nothing changes before all is read.
void Databases::load() {
  if (system_ == nullptr) return store_->start();
  const std::lock_guard lock(mutex_);
  Engine& engine = *store_->engine;
  std::vector<std::pair<std::uint32_t, std::string>> found;
  if (const PinnedValue last = engine.get(*system_, counter_key(kCounter))) {
    if (last.bytes().size() == sizeof last_number_) last_number_ = read_uint32(last.bytes());
  }
  const std::string first(kDatabasePrefix);
  const auto cursor = engine.scan(*system_, first, prefix_successor(first), Direction::kForward);
  while (cursor->next()) {
    const std::uint32_t number = database_in(cursor->key());
    if (number == 0 || number == Database::kEmptyNumber) {
      throw EngineError(messages::kDamagedDatabaseName);
    }
    last_number_ = std::max(last_number_, number);
    found.emplace_back(number, cursor->value());
  }
  store_->start();
  if (found.empty()) return;
  absl::flat_hash_set<std::uint32_t> used;
  for (const std::uint32_t number : store_->catalog.databases_with("")) used.insert(number);
  for (const StreamPtr& stream : store_->catalog.streams().all()) {
    used.insert(stream->description().database);
  }
  WriteBatch unused;
  for (const auto& [number, name] : found) {
    if (used.contains(number)) {
      add(number, name);
    } else {
      unused.remove(system_, database_key(number));
    }
  }
  if (!unused.empty()) engine.commit(unused);
}

Databases::Chain& Databases::chain_of(std::string_view name) const {
  return (*chains_)[absl::HashOf(name) % kChains];
}

Database* Databases::find(std::string_view name) const {
  for (Entry* entry = chain_of(name).load(std::memory_order_acquire); entry != nullptr;
       entry = entry->next) {
    if (entry->database.name() == name) return &entry->database;
  }
  return nullptr;
}

Database& Databases::make(std::string_view name) {
  if (Database* found = find(name)) return *found;
  if (name.size() > kMaxNameSize) throw std::length_error("the name of a database is too long");
  Effort::before_waiting();
  const std::lock_guard lock(mutex_);
  if (Database* found = find(name)) return *found;
  if (entries_.size() >= kMaxDatabases) throw TooManyDatabases();
  const auto number = narrow<std::uint32_t>(std::uint64_t{last_number_} + 1);
  if (system_ != nullptr) store_name(number, name);
  last_number_ = number;
  add(number, name);
  return entries_.back()->database;
}

void Databases::store_name(std::uint32_t number, std::string_view name) {
  store_->engine->require_format(DataDirectory::kFormatOfDatabases);
  std::string last;
  append_uint32(last, number);
  WriteBatch batch;
  batch.put(system_, database_key(number), std::string(name));
  batch.put(system_, counter_key(kCounter), std::move(last));
  store_->engine->commit(batch);
  Effort::note_change();
}

void Databases::add(std::uint32_t number, std::string_view name) {
  entries_.push_back(std::make_unique<Entry>(*store_, number, std::string(name)));
  Chain& chain = chain_of(name);
  entries_.back()->next = chain.load(std::memory_order_relaxed);
  chain.store(entries_.back().get(), std::memory_order_release);
  count_.store(entries_.size(), std::memory_order_relaxed);
}

std::vector<const Database*> Databases::with_table(std::string_view table_name,
                                                   const Database& except,
                                                   std::size_t limit) const {
  std::vector<const Database*> found;
  const std::vector<std::uint32_t> numbers = store_->catalog.databases_with(table_name);
  const auto note = [&](const Database& database) {
    const bool has_it = std::ranges::binary_search(numbers, database.number());
    if (has_it && &database != &except && found.size() < limit) found.push_back(&database);
  };
  if (numbers.empty()) return found;
  note(main_);
  for (const Chain& chain : *chains_) {
    for (const Entry* entry = chain.load(std::memory_order_acquire); entry != nullptr;
         entry = entry->next) {
      note(entry->database);
    }
  }
  return found;
}

}  // namespace magneto::storage
