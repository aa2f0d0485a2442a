#include "storage/databases.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "storage/database_store.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/local_disk.h"
#include "storage/engine/store_format.h"
#include "storage/messages/memory_messages.h"
#include "storage/messages/record_messages.h"
#include "storage/model/effort.h"
#include "storage/model/global_table.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::string_view kDatabaseCounter = "database";

// Whether the histories of the tables are unchanged. A turn of the clock changes a history, but
// commits nothing if the history is not stored.
bool are_histories_still(const std::vector<TablePtr>& tables, const CatalogSnapshot& snapshot) {
  const auto now = [](const TablePtr& table) {
    return table->history == nullptr ? 0 : table->history->state().eras_version;
  };
  const auto then = [](const TableSnapshot& table) { return table.history.state.eras_version; };
  return std::ranges::equal(tables, snapshot.tables, {}, now, then);
}

}  // namespace

Databases::Databases(std::unique_ptr<DatabaseStore> store)
    : store_(std::move(store)),
      records_(*store_->engine),
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

std::unique_ptr<Databases> Databases::fork(const StoreSnapshotPtr& snapshot,
                                           const DatabaseOptions& options, const Clock& clock) {
  const bool is_deep = snapshot->is_too_deep();
  OverlayBase base{.engine = snapshot->engine, .snapshot = snapshot->records};
  auto overlay = is_deep ? OverlayEngine::merge(std::move(base))
                         : std::make_shared<OverlayEngine>(std::move(base));
  OverlayEngine& engine = *overlay;
  std::unique_ptr<Databases> databases(
      new Databases(std::make_unique<DatabaseStore>(options, clock, std::move(overlay))));
  {
    const std::lock_guard lock(databases->mutex_);
    for (const auto& [number, name] : snapshot->databases) databases->add(number, name);
    databases->last_number_ = snapshot->last_database_number;
  }
  if (options.fork_memory != 0) {
    MemoryBudget& room = databases->store_->writer.room();
    const auto measure = [&room, &engine, &store = *databases->store_,
                          limit = options.fork_memory] {
      constexpr std::int64_t kReservePart = 10;
      const std::int64_t left = limit - engine.added_bytes() - store.catalog.index_memory();
      room.set(std::max(std::int64_t{0}, left),
               std::max(std::int64_t{0}, left + limit / kReservePart));
    };
    room.set_meter(measure);
    room.set_of_fork();
    measure();
  }
  databases->depth_ = is_deep ? 1 : snapshot->depth;
  databases->store_->start(*snapshot, engine);
  if (is_deep) {
    engine.end_merging();  // a merged fork does not keep its source alive either
  } else {
    databases->origin_ = {snapshot, &engine, snapshot->catalog.tables.size()};
  }
  return databases;
}

// The last snapshot, or a fork's origin, if it still is the current state. Forks of an unchanged
// store thus share one snapshot, and forks of an unchanged fork lie no deeper than it does.
StoreSnapshotPtr Databases::unchanged_snapshot() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t catalog_changes = store_->catalog.changes();
  const std::vector<TablePtr> tables = store_->catalog.tables();
  const bool is_as_it_began = origin_.snapshot != nullptr && !origin_.engine->is_changed() &&
                              origin_.catalog_changes == catalog_changes &&
                              store_->tokens.are_still(*origin_.snapshot->tokens) &&
                              origin_.snapshot->last_database_number == last_number_ &&
                              are_histories_still(tables, origin_.snapshot->catalog);
  if (is_as_it_began) return origin_.snapshot;
  StoreSnapshotPtr last = last_snapshot_.lock();
  const bool is_same =
      last != nullptr && last->catalog_changes == catalog_changes &&
      store_->tokens.are_still(*last->tokens) && last->last_database_number == last_number_ &&
      !store_->engine->changed_since(*last->records) && are_histories_still(tables, last->catalog);
  return is_same ? last : nullptr;
}

StoreSnapshotPtr Databases::snapshot() {
  Effort::before_waiting();
  const std::lock_guard taking(taking_snapshot_);
  if (StoreSnapshotPtr last = unchanged_snapshot()) return last;
  if (!store_->lag.is_on()) store_->replicator.settle_all();  // so that little is waiting
  auto snapshot = std::make_shared<StoreSnapshot>();
  {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : entries_) {
      snapshot->databases.emplace_back(entry->database.number(), entry->database.name());
    }
    snapshot->last_database_number = last_number_;
    store_->catalog.snapshot(snapshot->catalog, [&] {
      snapshot->catalog_changes = store_->catalog.changes();
      snapshot->tokens = store_->tokens.snapshot();
      snapshot->backups = store_->backups.snapshot();
      snapshot->records = store_->engine->snapshot();
    });
  }
  snapshot->engine = store_->engine;
  snapshot->depth = depth_ + 1;
  last_snapshot_ = snapshot;
  return snapshot;
}

std::shared_ptr<SavedStores> Databases::saved_stores() {
  LocalDisk* const disk = store_->engine->local_disk();
  return disk == nullptr ? nullptr : disk->saved_stores();
}

// Saves the statistics of that moment too. snapshot() holds the indexes before it pauses the commit
// scopes, save() after it. taking_snapshot_ therefore lets only one of them run at a time.
void Databases::save(std::string_view name, std::string_view note) {
  Effort::before_waiting();
  const std::lock_guard taking(taking_snapshot_);
  const auto settle_indexes = [this] {
    if (!store_->lag.is_on()) store_->replicator.settle_all();
  };
  settle_indexes();  // so that little is left
  store_->engine->local_disk()->save(name, note, [&] {
    settle_indexes();
    store_->statistics.save();
  });
}

std::shared_ptr<Notes> Databases::notes() {
  const std::lock_guard lock(mutex_);
  if (notes_ == nullptr) notes_ = std::make_shared<Notes>(store_->engine);
  return notes_;
}

void Databases::replace(Databases& former) {
  std::shared_ptr<Notes> notes = former.notes();
  notes->move_to(store_->engine, [this] {
    if (LocalDisk* const disk = store_->engine->local_disk()) disk->make_current();
  });
  const std::lock_guard lock(mutex_);
  notes_ = std::move(notes);
}

const IndexDelay& Databases::index_delay() const { return store_->lag; }

void Databases::set_index_delay(std::optional<IndexDelay::Milliseconds> delay) {
  store_->lag.set(delay);
  store_->replicator.lag_turned();
}

void Databases::hold_indexes() {
  store_->lag.hold();
  store_->replicator.lag_turned();
}

const IndexDelay& Databases::replication_delay() const { return store_->replica_lag; }

void Databases::set_replication_delay(std::optional<IndexDelay::Milliseconds> delay) {
  store_->replica_lag.set(delay);
  store_->replica_sender.look();
}

void Databases::hold_replication() {
  store_->replica_lag.hold();
  store_->replica_sender.look();
}

std::chrono::milliseconds Databases::time_to_live_delay() const { return store_->sweeper.delay(); }

void Databases::set_time_to_live_delay(std::optional<std::chrono::milliseconds> delay) {
  store_->sweeper.set_delay(delay);
}

void Databases::release_indexes(std::size_t changes) {
  store_->replicator.release(changes);
  if (store_->stale_reads.is_on()) store_->stale_reads.record_commit();
}

StaleReads& Databases::stale_reads() { return store_->stale_reads; }

void Databases::set_stale_reads(const StaleReads::Settings& settings) {
  if (!store_->lag.is_on()) store_->replicator.settle_all();
  store_->stale_reads.set(settings);
}

StoreStatistics Databases::statistics(std::size_t max_tables) const {
  return measure(*store_, max_tables);
}

std::uint64_t Databases::stream_position_of(Clock::TimePoint time) const {
  return SequenceScale(store_->engine->shared_since()).at(time);
}

std::size_t Databases::servers() const {
  const ServerGroup* const group = store_->engine->group();
  return group == nullptr ? 1 : group->size();
}

std::int64_t Databases::server() const {
  const ServerGroup* const group = store_->engine->group();
  return group == nullptr ? 0 : group->server();
}

bool Databases::has_left(std::int64_t server) const {
  const ServerGroup* const group = store_->engine->group();
  return group != nullptr && group->has_left(server);
}

bool Databases::leads() const { return store_->catalog.leads(); }

bool Databases::is_current() const { return store_->engine->is_current(); }

std::string Databases::describe_refusal() {
  if (!store_->engine->is_durable() && store_->writer.room().is_full()) {
    return store_->writer.room().refusal();
  }
  return store_->engine->describe_refusal();
}

// Reads the names first: nothing changes until all is read.
void Databases::load() {
  if (!records_.are_stored()) return store_->start();
  const TreePtr& system = records_.tree();
  std::unique_lock lock(mutex_);
  Engine& engine = *store_->engine;
  std::vector<std::pair<std::uint32_t, std::string>> found;
  if (const PinnedValue last = engine.get(*system, counter_key(kDatabaseCounter))) {
    if (last.bytes().size() == sizeof last_number_) last_number_ = read_uint32(last.bytes());
  }
  const std::string first(kDatabasePrefix);
  const auto cursor = engine.scan(*system, first, prefix_successor(first), Direction::kForward);
  while (cursor->next()) {
    const std::uint32_t number = database_in(cursor->key());
    if (number == 0 || number == Database::kEmptyNumber) {
      throw EngineError(messages::kDamagedDatabaseName);
    }
    last_number_ = std::max(last_number_, number);
    found.emplace_back(number, cursor->value());
  }
  store_->take_over_databases = [this] { take_over(); };
  // The start waits for the thread that takes changes over, which may wait for the lock.
  lock.unlock();
  store_->start();
  lock.lock();
  if (found.empty()) return;
  absl::flat_hash_set<std::uint32_t> used;
  for (const std::uint32_t number : store_->catalog.databases_with("")) used.insert(number);
  for (const StreamPtr& stream : store_->catalog.streams().all()) {
    used.insert(stream->description().database);
  }
  for (const TablePtr& table : store_->catalog.tables()) {
    if (table->schema.global_table == nullptr) continue;
    for (const Replica& replica : table->schema.global_table->replicas) {
      used.insert(replica.database);  // its table there may not exist yet
    }
  }
  for (const BackupPtr& backup : store_->backups.all()) used.insert(backup->schema->database());
  WriteBatch unused;
  // Another server of a group may just be using one.
  const bool keeps_all = engine.group() != nullptr;
  for (const auto& [number, name] : found) {
    if (keeps_all || used.contains(number)) {
      add(number, name);
    } else {
      unused.remove(system, database_key(number));
    }
  }
  if (!unused.empty()) engine.commit(unused);
}

Databases::Chain& Databases::chain_of(Chains& chains, std::string_view name) {
  return chains[absl::HashOf(name) % chains.size()];
}

Database* Databases::find(std::string_view name) const {
  Chains* chains = chains_.load(std::memory_order_acquire);
  if (chains == nullptr) return nullptr;
  for (Entry* entry = chain_of(*chains, name).load(std::memory_order_acquire); entry != nullptr;
       entry = entry->next) {
    if (entry->database.name() == name) return &entry->database;
  }
  return nullptr;
}

Database& Databases::make(std::string_view name) {
  if (Database* found = find(name)) return *found;
  if (name.size() > kMaxNameSize) throw std::length_error("the name of a database is too long");
  Effort::before_waiting();
  if (make_here(name)) records_.announce({counter_key(kDatabaseCounter)});
  return *find(name);
}

// False if there is one already.
bool Databases::make_here(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (find(name) != nullptr) return false;
  if (entries_.size() >= kMaxDatabases) throw TooManyDatabases();
  if (records_.are_stored()) store_->engine->require_format(StoreFormat::kOfDatabases);
  const std::string counter = counter_key(kDatabaseCounter);
  std::uint32_t number = 0;
  const bool is_new = records_.change({counter}, [&](Records::Change& records) {
    number = records.next_number(counter, last_number_);
    if (number > last_number_ + 1) add_unknown();
    if (find(name) != nullptr) return false;
    if (entries_.size() >= kMaxDatabases) throw TooManyDatabases();
    records.put(database_key(number), std::string(name));
    return true;
  });
  if (is_new) {
    last_number_ = number;
    add(number, name);
  }
  return is_new;
}

void Databases::take_over() {
  const std::lock_guard lock(mutex_);
  add_unknown();
}

// Databases that another server has made.
void Databases::add_unknown() {
  const std::string first = database_key(last_number_ + 1);
  const auto cursor = store_->engine->scan(
      *records_.tree(), first, prefix_successor(std::string(kDatabasePrefix)), Direction::kForward);
  while (cursor->next()) {
    last_number_ = database_in(cursor->key());
    add(last_number_, cursor->value());
  }
}

void Databases::add(std::uint32_t number, std::string_view name) {
  entries_.push_back(std::make_unique<Entry>(*store_, number, std::string(name)));
  if (owned_chains_ == nullptr) {
    owned_chains_ = std::make_unique<Chains>();
    chains_.store(owned_chains_.get(), std::memory_order_release);
  }
  Chain& chain = chain_of(*owned_chains_, name);
  entries_.back()->next = chain.load(std::memory_order_relaxed);
  chain.store(entries_.back().get(), std::memory_order_release);
  count_.store(entries_.size(), std::memory_order_relaxed);
}

std::vector<Database*> Databases::all() {
  std::vector<Database*> found = {&main_};
  const std::lock_guard lock(mutex_);
  for (const auto& entry : entries_) found.push_back(&entry->database);
  return found;
}

bool Databases::settle(const std::stop_token& stop) { return store_->settle(stop); }

void Databases::forget_tokens() {
  store_->tokens.forget_all();
  if (store_->token_records != nullptr) store_->token_records->forget_all();
}

void Databases::forget_streams() {
  for (const StreamPtr& stream : store_->catalog.streams().all()) {
    if (stream->schema().closed != 0) store_->catalog.streams().remove(stream);
  }
}

void Databases::forget_backups(bool used_too) {
  for (const BackupPtr& backup : store_->backups.all(used_too)) store_->backups.drop(*backup);
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
  Chains* chains = chains_.load(std::memory_order_acquire);
  if (chains == nullptr) return found;
  for (const Chain& chain : *chains) {
    for (const Entry* entry = chain.load(std::memory_order_acquire); entry != nullptr;
         entry = entry->next) {
      note(entry->database);
    }
  }
  return found;
}

}  // namespace magneto::storage
