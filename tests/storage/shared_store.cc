#include "tests/storage/shared_store.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "storage/engine/locking_engine.h"
#include "storage/engine/version_source.h"

namespace magneto::storage {

class SharedStore::Scope final : public WriteScope {
 public:
  Scope(SharedStore& store, VersionSource& versions, WriteScopePtr locks)
      : store_(store), versions_(versions), locks_(std::move(locks)) {}
  ~Scope() override {
    if (first_) versions_.finish(*first_);
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) override {
    store_.step(Step::kAccess);
    const std::lock_guard lock(store_.mutex_);
    store_.memory_->get(reads, values);
    for (const KeyRead& read : reads) {
      seen_.push_back({read.tree, std::string(read.key), store_.version_of(*read.tree, read.key)});
    }
  }

  Version draw(std::size_t count) override {
    Version newest = 0;
    for (const Seen& seen : seen_) newest = std::max(newest, seen.version);
    first_ = versions_.draw(count, newest);
    last_ = *first_ + (count - 1) * kVersionStep;
    return *first_;
  }

  CommitResult commit(const WriteBatch& batch) override {
    store_.call_before_commit();
    if (!first_) draw(1);
    store_.step(Step::kAccess);
    const auto is_unchanged = [this](const Seen& seen) {
      return store_.version_of(*seen.tree, seen.key) == seen.version;
    };
    const std::lock_guard lock(store_.mutex_);
    const bool compares = store_.fault_ != Fault::kOverlooksConflicts;
    if (compares && !std::ranges::all_of(seen_, is_unchanged)) {
      ++store_.conflict_count_;
      return CommitResult::kConflict;
    }
    store_.commit(batch, last_);
    return CommitResult::kCommitted;
  }

 private:
  struct Seen {
    const Tree* tree;
    std::string key;
    Version version;
  };

  SharedStore& store_;
  VersionSource& versions_;
  const WriteScopePtr locks_;
  std::vector<Seen> seen_;
  std::optional<Version> first_;
  Version last_ = 0;
};

class SharedStore::ServerEngine final : public LockingEngine, public ServerGroup {
 public:
  ServerEngine(SharedStore& store, std::uint32_t number, Clock::RealTime now, bool is_alone)
      : store_(store), is_alone_(is_alone), number_(number), versions_(number, now) {
    versions_.raise_limit(~Version{0});
  }
  ~ServerEngine() override { store_.leave(*this); }
  ServerEngine(const ServerEngine&) = delete;
  ServerEngine& operator=(const ServerEngine&) = delete;

  bool is_durable() const override { return true; }
  bool commit_waits() const override { return false; }
  ServerGroup* group() override { return is_alone_ ? nullptr : this; }
  Version shared_since() const override { return store_.shared_since_; }
  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override {
    TreePtr tree =
        memory().open_tree(family, std::move(prefix), std::move(lower), std::move(upper));
    const std::lock_guard lock(store_.mutex_);
    store_.trees_.try_emplace(tree.get(), tree);
    return tree;
  }
  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return memory().get(tree, key);
  }
  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const override {
    const std::lock_guard lock(store_.mutex_);  // all at one moment
    memory().get(reads, values);
  }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    return memory().scan(tree, lower, upper, direction, hint);
  }
  using Engine::scan;
  SnapshotPtr snapshot() override { return memory().snapshot(); }
  bool changed_since(const Snapshot& snapshot) const override {
    return memory().changed_since(snapshot);
  }
  bool keeps_replaced() const override { return memory().keeps_replaced(); }
  WriteScopePtr begin(std::span<const std::string_view> keys) override {
    WriteScopePtr locks = LockingEngine::begin(keys);
    if (is_alone_) return locks;
    return std::make_unique<Scope>(store_, versions_, std::move(locks));
  }
  using Engine::begin;
  void wait_for_open_scopes() override { announce({}); }
  void commit(const WriteBatch& batch) override {
    const Version version = versions_.draw(1, 0);
    versions_.finish(version);
    const std::lock_guard lock(store_.mutex_);
    store_.commit(batch, version);
  }
  void clear(Tree& tree) override { memory().clear(tree); }
  void require_format(int format) override { memory().require_format(format); }
  std::uint64_t estimate_size(const Tree& tree) const override {
    return memory().estimate_size(tree);
  }
  std::string describe_refusal() override { return memory().describe_refusal(); }
  EngineStatistics statistics() const override { return memory().statistics(); }

  std::vector<Counted> counted(std::span<const std::string> keys) const override {
    const std::lock_guard lock(store_.mutex_);
    std::vector<Counted> counted;
    for (const std::string& key : keys) {
      const auto found = store_.counts_.find(key);
      counted.push_back(found == store_.counts_.end() ? Counted() : found->second);
    }
    return counted;
  }
  void forget_counted(std::string_view prefix) override {
    const std::lock_guard lock(store_.mutex_);
    std::erase_if(store_.counts_, [&](const auto& one) { return one.first.starts_with(prefix); });
  }

  // ---- of the group -----------------------------------------------------------------------------

  Version settled() const override { return store_.settled(); }
  Version beyond() override {
    const std::shared_lock lock(store_.servers_mutex_);
    Version newest = 0;
    for (ServerEngine* const server : store_.servers_) {
      const Version own = server->versions_.draw(1, 0);
      server->versions_.finish(own);
      newest = std::max(newest, own);
    }
    return newest + 1;
  }
  void announce(std::vector<std::string> keys) override { store_.announce(*this, keys); }
  void on_announced(TakeOver take_over) override {
    const std::lock_guard lock(mutex_);
    take_over_ = std::move(take_over);
    if (std::exchange(has_missed_, false)) take_over_({});
  }
  void ignore_announcements() override {
    const std::lock_guard lock(mutex_);
    take_over_ = nullptr;
  }
  bool is_leader() const override { return store_.is_oldest(*this); }
  void on_leading(std::function<void()> call) override {
    if (is_leader()) call();
    const std::lock_guard lock(mutex_);
    on_leading_ = std::move(call);
  }
  std::int64_t server() const override { return number_; }
  bool has_left(std::int64_t server) const override {
    const std::shared_lock lock(store_.servers_mutex_);
    return server <= store_.last_number_ &&
           std::ranges::find(store_.servers_, server, &ServerEngine::number_) ==
               store_.servers_.end();
  }
  std::size_t size() const override {
    const std::shared_lock lock(store_.servers_mutex_);
    return store_.servers_.size();
  }

  Version low() { return versions_.low(); }
  void advance(Version version) { versions_.advance(version); }
  void take_over(std::span<const std::string> keys) {
    const std::lock_guard lock(mutex_);
    if (take_over_) return take_over_(keys);
    has_missed_ = true;
  }
  void wait_for_scopes() { locks().wait_for_holders(); }
  void lead() {
    const std::lock_guard lock(mutex_);
    if (on_leading_) on_leading_();
  }

 private:
  Engine& memory() const { return *store_.memory_; }

  SharedStore& store_;
  const bool is_alone_;
  const std::int64_t number_;
  VersionSource versions_;
  std::mutex mutex_;  // guards the next members; held while they are called
  TakeOver take_over_;
  bool has_missed_ = false;  // announcements before on_announced()
  std::function<void()> on_leading_;
};

// A server that joins draws no version below what readers have taken as settled.
std::unique_ptr<Engine> SharedStore::open(Clock::RealTime now) {
  const Version settled_before = settled();
  const std::unique_lock lock(servers_mutex_);
  const std::lock_guard state(mutex_);
  if (shared_since_ == 0) shared_since_ = version_at(now());
  auto engine = std::make_unique<ServerEngine>(*this, ++last_number_, now, false);
  for (ServerEngine* const server : servers_) engine->advance(server->low());
  engine->advance(settled_before);
  servers_.push_back(engine.get());
  return engine;
}

std::unique_ptr<Engine> SharedStore::open_alone() {
  return std::make_unique<ServerEngine>(*this, 0, Clock::real_now, true);
}

void SharedStore::leave(const ServerEngine& server) {
  ServerEngine* next = nullptr;
  {
    const std::unique_lock lock(servers_mutex_);
    const bool led = !servers_.empty() && servers_.front() == &server;
    std::erase(servers_, &server);
    if (led && !servers_.empty()) next = servers_.front();
  }
  if (next != nullptr) next->lead();
}

bool SharedStore::is_oldest(const ServerEngine& server) const {
  const std::shared_lock lock(servers_mutex_);
  return !servers_.empty() && servers_.front() == &server;
}

// Each server's value counts from the moment at which it was asked. A slow clock follows the others.
Version SharedStore::settled() const {
  const std::shared_lock lock(servers_mutex_);
  Version newest = 0;
  for (ServerEngine* const server : servers_) newest = std::max(newest, server->low());
  Version oldest = newest;
  for (ServerEngine* const server : servers_) {
    server->advance(newest);
    oldest = std::min(oldest, server->low());
  }
  return fault_ == Fault::kSettlesTooEarly ? newest : oldest;
}

void SharedStore::announce(const ServerEngine& from, const std::vector<std::string>& keys) {
  step(Step::kAnnouncement);
  {
    const std::lock_guard state(mutex_);
    const bool may_wait = fault_ != Fault::kWaitsForNobody;
    if (may_wait && std::this_thread::get_id() == caller_.get_id()) may_commit_ = true;
    changed_.notify_all();
  }
  const std::shared_lock lock(servers_mutex_);
  for (ServerEngine* const server : servers_) {
    if (server != &from && !keys.empty()) server->take_over(keys);
    if (server == &from || fault_ != Fault::kWaitsForNobody) server->wait_for_scopes();
  }
  step(Step::kAnnounced);
}

void SharedStore::before_commit(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  before_commit_ = std::move(call);
}

void SharedStore::call_before_commit() {
  std::unique_lock lock(mutex_);
  if (!before_commit_) return;
  may_commit_ = false;
  caller_ = std::thread([this, call = std::exchange(before_commit_, nullptr)] {
    call();
    const std::lock_guard ending(mutex_);
    may_commit_ = true;
    changed_.notify_all();
  });
  changed_.wait(lock, [this] { return may_commit_; });
}

void SharedStore::join() {
  if (caller_.joinable()) caller_.join();
}

int SharedStore::conflicts() const {
  const std::lock_guard lock(mutex_);
  return conflict_count_;
}

Version SharedStore::version_of(const Tree& tree, std::string_view key) const {
  const auto found = versions_.find(std::pair(tree.family(), std::string(key)));
  return found == versions_.end() ? 0 : found->second;
}

void SharedStore::commit(const WriteBatch& batch, Version version) {
  memory_->commit(batch);
  for (const WriteBatch::Operation& change : batch.operations()) {
    versions_[{change.tree->family(), change.key}] = version;
  }
  for (const WriteBatch::Count& count : batch.counts()) {
    Engine::Counted& sum = counts_[count.key];
    sum.items += count.items;
    sum.bytes += count.bytes;
  }
}

}  // namespace magneto::storage
