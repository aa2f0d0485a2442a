#pragma once

#include <cstdint>

#include "storage/background/control_plane_delay.h"
#include "storage/background/index_backfill.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"

namespace magneto::storage {

// Fills the indexes that are added to tables, and then makes them ACTIVE. The indexes of a new
// table need no filling. Thread-safe.
class IndexBuilds final : public TableFollowUp {
 public:
  // An index is CREATING at least for the length of `delay` after its filling has begun.
  IndexBuilds(IndexBackfill& backfill, Catalog& catalog, ControlPlaneDelay& delay, Worker& jobs)
      : backfill_(backfill), catalog_(catalog), delay_(delay), jobs_(jobs) {}

  void resume() override;
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& /*table*/) override {}  // the back-fill notices that its index is dropped

 private:
  struct Build {
    TableName table;
    std::uint32_t table_number;
    std::uint16_t index_number;
    Clock::TimePoint not_before;  // the earliest end
    IndexBackfill::Progress progress{};
  };

  void build_later(const TableSchema& schema, std::uint16_t index_number);
  bool fill(Build& build, const std::stop_token& stop);
  void go_on_later(const Build& build);
  void run(Build build, const std::stop_token& stop);
  void finish(const Build& build);

  IndexBackfill& backfill_;
  Catalog& catalog_;
  ControlPlaneDelay& delay_;
  Worker& jobs_;
};

}  // namespace magneto::storage
