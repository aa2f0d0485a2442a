#include "api/namespaces/namespace_state.h"

#include <algorithm>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "api/messages/namespace_messages.h"
#include "storage/database_truncation.h"
#include "storage/table/memory_budget.h"

namespace magneto::api {
namespace {

using Refusal = NamespaceError::Kind;
using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kPatience{30'000};
constexpr milliseconds kLook{20};

struct NamedTable {
  storage::Database* database;
  storage::TablePtr table;
};

std::vector<NamedTable> tables_named(storage::Databases& databases, std::string_view name) {
  std::vector<NamedTable> found;
  for (storage::Database* const database : databases.all()) {
    if (storage::TablePtr table = database->find_table(name)) {
      found.push_back({database, std::move(table)});
    }
  }
  return found;
}

std::vector<NamedTable> all_tables(storage::Databases& databases) {
  constexpr std::size_t kNamesAtOnce = 1'000;
  std::vector<NamedTable> found;
  for (storage::Database* const database : databases.all()) {
    std::string last;
    for (;;) {
      const std::vector<std::string> names = database->list_tables(last, kNamesAtOnce);
      if (names.empty()) break;
      for (const std::string& name : names) {
        if (storage::TablePtr table = database->find_table(name)) {
          found.push_back({database, std::move(table)});
        }
      }
      last = names.back();
    }
  }
  return found;
}

}  // namespace

// One of a limited number of concurrent turns.
class NamespaceState::Turn {
 public:
  Turn(NamespaceState& state, Turns& turns, milliseconds patience = kPatience)
      : state_(state), turns_(turns) {
    std::unique_lock lock(state.mutex_);
    if (turns.working >= turns.at_once) {
      if (turns.waiting >= kMostWaiting) {
        throw NamespaceError(Refusal::kBusy, messages::kStateBusy);
      }
      ++turns.waiting;
      const bool has_come =
          state.left_.wait_for(lock, patience, [&] { return turns.working < turns.at_once; });
      --turns.waiting;
      if (!has_come) throw NamespaceError(Refusal::kBusy, messages::kStateBusy);
    }
    ++turns.working;
  }
  ~Turn() {
    {
      const std::lock_guard lock(state_.mutex_);
      --turns_.working;
    }
    state_.left_.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  NamespaceState& state_;
  Turns& turns_;
};

// Requests a stop when the time has passed or the server is stopping.
class NamespaceState::Deadline {
 public:
  // Also stops when `has_left` returns true.
  Deadline(
      const NamespaceState& state, milliseconds timeout, HasLeft has_left = [] { return false; })
      : has_left_(std::move(has_left)),
        watch_([this, &state, end = SteadyClock::now() + timeout] { watch(state, end); }) {}
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    watch_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  std::stop_token token() const { return over_.get_token(); }
  bool is_over() const { return over_.stop_requested(); }

 private:
  void watch(const NamespaceState& state, SteadyClock::time_point end) {
    std::unique_lock lock(mutex_);
    while (!done_ && SteadyClock::now() < end && !state.is_stopping_() && !has_left_()) {
      changed_.wait_until(lock, std::min(end, SteadyClock::now() + kLook));
    }
    lock.unlock();
    over_.request_stop();
  }

  const HasLeft has_left_;
  std::stop_source over_;
  std::mutex mutex_;  // guards done_
  std::condition_variable changed_;
  bool done_ = false;
  std::thread watch_;
};

void NamespaceState::reset(std::string_view name) {
  const auto space = namespaces_.get(name);
  if (!space->is_main()) {
    namespaces_.renew(name);
    return;
  }
  const Turn turn(*this, changes_);
  const Deadline deadline(*this, kPatience);
  delete_all_tables(*space, deadline);
}

void NamespaceState::delete_all_tables(Namespace& space, const Deadline& deadline) {
  storage::Databases& databases = space.databases();
  databases.stale_reads().turn_off();
  databases.set_index_delay(std::nullopt);
  databases.set_replication_delay(std::nullopt);
  databases.set_time_to_live_delay(std::nullopt);
  for (;;) {
    const std::vector<NamedTable> tables = all_tables(databases);
    if (tables.empty()) break;
    bool deleted = false;
    for (const NamedTable& found : tables) {
      if (deadline.is_over()) throw NamespaceError(Refusal::kBusy, messages::kStillDeleting);
      if (found.table->schema.status == storage::ResourceStatus::kDeleting) continue;
      found.database->delete_table(found.table->schema.name);
      deleted = true;
    }
    // With --control-plane-delay-ms, the tables stay for a while.
    if (!deleted) std::this_thread::sleep_for(kLook);
  }
  if (!databases.settle(deadline.token())) {
    throw NamespaceError(Refusal::kBusy, messages::kStillDeleting);
  }
  databases.forget_backups(true);
  databases.forget_streams();
  databases.forget_tokens();
  space.service().forget_jobs();
}

std::uint64_t NamespaceState::truncate(std::string_view name,
                                       const std::vector<std::string_view>& tables,
                                       const HasLeft& has_left) {
  const auto space = namespaces_.get(name);
  std::vector<NamedTable> found;
  for (const std::string_view table : tables) {
    std::vector<NamedTable> named = tables_named(space->databases(), table);
    if (named.empty()) {
      throw NamespaceError(Refusal::kUnknown, messages::unknown_table(table, name));
    }
    std::ranges::move(named, std::back_inserter(found));
  }
  const Turn turn(*this, changes_);
  if (tables.empty()) found = all_tables(space->databases());
  constexpr std::chrono::hours kLongest{24};
  const Deadline deadline(*this, kLongest, has_left);
  std::uint64_t deleted = 0;
  try {
    for (const NamedTable& one : found) {
      deleted += storage::delete_all_items(*one.database, one.table, deadline.token());
    }
  } catch (const storage::MemoryFull& full) {
    throw NamespaceError(Refusal::kFull, full.what());
  }
  if (deadline.is_over()) throw NamespaceError(Refusal::kBusy, messages::kTruncationStopped);
  if (tables.empty()) space->databases().forget_backups(false);
  return deleted;
}

bool NamespaceState::settle(std::string_view name, milliseconds timeout, const HasLeft& has_left) {
  const auto space = namespaces_.get(name);
  const SteadyClock::time_point end = SteadyClock::now() + timeout;
  const Turn turn(*this, settles_, std::min(kPatience, timeout));
  const Deadline deadline(*this, std::chrono::ceil<milliseconds>(end - SteadyClock::now()),
                          has_left);
  return space->databases().settle(deadline.token());
}

}  // namespace magneto::api
