#include "storage/engine/postgres/postgres_engine.h"

#include "storage/engine/postgres/group_commit.h"
#include "storage/engine/postgres/postgres_engine_base.h"
#include "storage/engine/postgres/postgres_lease.h"
#include "storage/engine/postgres/shared_engine.h"
#include "storage/model/effort.h"

namespace magneto::storage {
namespace {

// The engine of a server that uses its store alone, by a lease.
class PostgresEngine final : public PostgresEngineBase {
 public:
  explicit PostgresEngine(const PostgresOptions& options)
      : PostgresEngineBase(options),
        lease_(address_, statements_,
               {options.lease, options.own_address, options.on_lost, options.on_wait,
                options.on_warning},
               options.stop) {
    check_format();  // the holder may have changed it
    find_shared_since();
    check_settings(options);
    commits_ = std::make_unique<GroupCommit>(address_, statements_, lease_.epoch(),
                                             lease_.last_version(), committing_connections(),
                                             counters_, [this] { wait(lease_.is_lost()); });
  }

  bool is_current() const override { return lease_.is_valid(); }
  bool changed_since(const Snapshot& snapshot) const override {
    return commits_->batches() != batches_before(snapshot);
  }

  void commit(const WriteBatch& batch) override {
    if (batch.empty()) return;
    check_keys(batch);
    Effort::before_waiting();
    commit_noting([&] {
      commits_->commit(batch);
      return true;
    });
  }
  EngineStatistics statistics() const override {
    EngineStatistics found{};
    found.shared = counted_statistics();
    found.shared->epoch = lease_.epoch();
    found.shared->lease_age = lease_.age();
    return found;
  }

 private:
  QueryResult run_alone(const Statement& statement, const Arguments& arguments) override {
    return commits_->run(statement, arguments);
  }

  PostgresLease lease_;
  std::unique_ptr<GroupCommit> commits_;
};

}  // namespace

std::unique_ptr<Engine> open_postgres_engine(const PostgresOptions& options) {
  if (options.shared) return open_shared_engine(options);
  return std::make_unique<PostgresEngine>(options);
}

}  // namespace magneto::storage
