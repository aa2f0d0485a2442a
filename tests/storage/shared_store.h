#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/engine/server_group.h"

namespace magneto::storage {

// A store that several servers use at the same time, here in one process and in memory, as servers
// use a database. Each key has the version of its last commit. An announcement is taken over on the
// thread that makes it. Thread-safe.
class SharedStore {
 public:
  // A guarantee that the store breaks, as a faulty server would.
  enum class Fault : std::uint8_t {
    kNone,
    kOverlooksConflicts,  // the last commit wins
    kSettlesTooEarly,     // settled() goes by the newest version
    kWaitsForNobody,      // an announcement does not wait for the scopes of other servers
  };
  explicit SharedStore(Fault fault = Fault::kNone) : fault_(fault) {}
  ~SharedStore() { join(); }
  SharedStore(const SharedStore&) = delete;
  SharedStore& operator=(const SharedStore&) = delete;

  // The engine of another server, whose clock is `now`. Scopes of one engine lock their keys for each
  // other. Scopes of different engines meet in commit(): it returns kConflict if a value that the
  // scope has read was changed. The store outlives its engines.
  std::unique_ptr<Engine> open(Clock::RealTime now = Clock::real_now);
  // The engine of a server that uses the store alone. No other engine is open.
  std::unique_ptr<Engine> open_alone();

  // `call` runs once, on a thread of its own, between the reads and the commit of the next scope that
  // commits. The commit goes on when the call has ended, or makes an announcement: this may have to
  // wait for the server that commits.
  void before_commit(std::function<void()> call);
  // Waits until that call has ended.
  void join();
  // The moments at which a server calls the store.
  enum class Step : std::uint8_t {
    kAccess,        // a scope reads or commits
    kAnnouncement,  // waits for other servers
    kAnnounced,
  };
  // `call` runs at each step, without locks of the store. Set it while no server does anything.
  void at_each_step(std::function<void(Step step)> call) { step_ = std::move(call); }
  // How many commits returned kConflict.
  int conflicts() const;

 private:
  class ServerEngine;
  class Scope;
  using Key = std::pair<ColumnFamily, std::string>;

  // The next functions require mutex_.
  Version version_of(const Tree& tree, std::string_view key) const;
  void commit(const WriteBatch& batch, Version version);

  void call_before_commit();
  void step(Step step) const {
    if (step_) step_(step);
  }
  Version settled() const;
  void announce(const ServerEngine& from, const std::vector<std::string>& keys);
  bool is_oldest(const ServerEngine& server) const;
  void leave(const ServerEngine& server);

  const Fault fault_;
  const std::unique_ptr<Engine> memory_ = make_memory_engine();
  std::function<void(Step step)> step_;
  mutable std::mutex mutex_;  // guards the next members; held while committing
  absl::flat_hash_map<const Tree*, TreePtr> trees_;  // kept, though a server may end
  absl::flat_hash_map<Key, Version> versions_;
  std::map<std::string, Engine::Counted, std::less<>> counts_;
  std::function<void()> before_commit_;
  std::thread caller_;
  bool may_commit_ = true;  // the call has ended, or makes an announcement
  std::condition_variable changed_;
  int conflict_count_ = 0;
  Version shared_since_ = 0;
  std::uint32_t last_number_ = 0;
  mutable std::shared_mutex servers_mutex_;  // guards servers_; taken before mutex_
  std::vector<ServerEngine*> servers_;       // the oldest first
};

}  // namespace magneto::storage
