#pragma once

#include <cstdint>

#include "storage/background/control_plane_delay.h"
#include "storage/background/expiry_backfill.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"

namespace magneto::storage {

// Time to live of tables: fills the expiry queue of a table that newly has it, and ends ENABLING
// and DISABLING. Thread-safe.
class TimeToLiveTransitions final : public TableFollowUp {
 public:
  TimeToLiveTransitions(Engine& engine, Catalog& catalog, ExpiryTimer& timer,
                        ControlPlaneDelay& delay, Worker& jobs)
      : backfill_(engine, timer), catalog_(catalog), timer_(timer), delay_(delay), jobs_(jobs) {}

  void resume() override;
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& /*table*/) override {}  // the back-fill notices that its queue is dropped

 private:
  void finish(const TableName& name, std::uint32_t table_number, TimeToLiveStatus passing);
  void fill_later(const TableSchema& schema);
  void fill(const TableName& name, std::uint32_t table_number, std::uint16_t queue_number,
            const std::stop_token& stop);

  ExpiryBackfill backfill_;
  Catalog& catalog_;
  ExpiryTimer& timer_;
  ControlPlaneDelay& delay_;
  Worker& jobs_;
};

}  // namespace magneto::storage
