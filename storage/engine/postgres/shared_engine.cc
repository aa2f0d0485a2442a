#include "storage/engine/postgres/shared_engine.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "storage/engine/postgres/locking_scope.h"
#include "storage/engine/postgres/postgres_engine_base.h"
#include "storage/engine/postgres/postgres_front.h"
#include "storage/engine/postgres/postgres_group.h"
#include "storage/engine/postgres/scope_commit.h"
#include "storage/engine/postgres/shared_scope.h"
#include "storage/messages/postgres_messages.h"
#include "storage/model/effort.h"

namespace magneto::storage {
namespace {

class SharedPostgresEngine final : public PostgresEngineBase {
 public:
  explicit SharedPostgresEngine(const PostgresOptions& options)
      : PostgresEngineBase(options), now_(options.now) {
    make_group();
    front_ = std::make_unique<PostgresFront>(
        address_, statements_,
        PostgresFront::Settings{options.lease, options.own_address, options.now, options.on_lost,
                                options.on_warning},
        options.stop);
    check_format();  // another server may have changed it
    find_shared_since();
    check_settings(options);
    commits_ = std::make_unique<ScopeCommit>(address_, statements_, front_->epoch(),
                                             front_->number(), committing_connections(), counters_,
                                             [this] { wait(front_->is_lost()); });
    locking_ = std::make_unique<LockingConnections>(*commits_);
    context_ = std::make_unique<ScopeContext>(
        ScopeContext{statements_, front_->versions(), conflicts_, run_, read_,
                     [this](const ScopeWrite& write) { return commit(write); }});
    group_ = std::make_unique<PostgresGroup>(
        address_, statements_, *front_, readers_, *commits_, counters_,
        PostgresGroup::Settings{options.lease, options.remembered,
                                [this] { locks().wait_for_holders(); }});
    front_->start([this] { group_->look(); });
  }

  ~SharedPostgresEngine() override { front_->ignore_beats(); }
  SharedPostgresEngine(const SharedPostgresEngine&) = delete;
  SharedPostgresEngine& operator=(const SharedPostgresEngine&) = delete;

  bool is_current() const override { return front_->is_valid(); }
  // Other servers change the store too.
  bool changed_since(const Snapshot& /*snapshot*/) const override { return true; }
  ServerGroup* group() override { return group_.get(); }

  WriteScopePtr begin(std::span<const std::string_view> keys) override {
    std::vector<std::size_t> places = ConflictCounts::places_of(keys);
    const bool locks_rows = conflicts_.are_many(places);
    KeyLocks::Holder holder = locks().lock(keys);
    if (!locks_rows) {
      return std::make_unique<SharedScope>(*context_, std::move(holder), std::move(places));
    }
    return std::make_unique<LockingScope>(*context_, std::move(holder), std::move(places),
                                          *locking_, *commits_, front_->epoch());
  }
  using Engine::begin;
  void wait_for_open_scopes() override { group_->announce({}); }
  ScopePausePtr pause_scopes() override { throw EngineError(messages::kNoPauseInGroup); }

  void commit(const WriteBatch& batch) override {
    if (batch.empty() && batch.counts().empty()) return;
    Effort::before_waiting();
    const Version version = front_->versions().draw(1, 0);
    try {
      commit(ScopeWrite{&batch, {}, version});
    } catch (const StoreTaken&) {
      throw;  // the outcome is not known: the version stays in progress
    } catch (...) {
      front_->versions().finish(version);
      throw;
    }
    front_->versions().finish(version);
  }
  EngineStatistics statistics() const override {
    EngineStatistics found{};
    found.shared = counted_statistics();
    found.shared->epoch = front_->epoch();
    found.shared->lease_age = front_->age();
    found.shared->servers = front_->size();
    const auto length = [](Clock::Duration time) { return std::max(time, Clock::Duration(0)); };
    const Clock::TimePoint now = now_();
    found.shared->settled_age = length(now - time_of_version(front_->settled()));
    found.shared->clock_lead = length(time_of_version(front_->versions().above_drawn()) - now);
    return found;
  }

 private:
  void make_group() {
    PostgresConnection connection(address_);
    const bool is_there = connection.run(statements_.has_group(), {}).bytes(0, 0)[0] != 0;
    if (!is_there) connection.execute(statements_.make_group());
  }
  bool commit(const ScopeWrite& write) {
    check_keys(*write.batch);
    const bool has_won = commit_noting([&] { return commits_->commit(write); });
    if (!has_won) counters_.scope_conflicts.fetch_add(1, std::memory_order_relaxed);
    return has_won;
  }
  QueryResult run_alone(const Statement& statement, const Arguments& arguments) override {
    return commits_->run(statement, arguments);
  }

  const Clock::RealTime now_;
  ConflictCounts conflicts_;
  std::unique_ptr<PostgresFront> front_;
  std::unique_ptr<ScopeCommit> commits_;
  std::unique_ptr<LockingConnections> locking_;
  std::unique_ptr<ScopeContext> context_;
  std::unique_ptr<PostgresGroup> group_;
};

}  // namespace

std::unique_ptr<Engine> open_shared_engine(const PostgresOptions& options) {
  return std::make_unique<SharedPostgresEngine>(options);
}

}  // namespace magneto::storage
