#pragma once

#include <cstdint>
#include <stop_token>

#include "storage/background/count_pauses.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/engine/engine.h"

namespace magneto::storage {

// Counts Statistics::vector_bytes of a table anew after UpdateTable has added or removed a vector
// index, since DynamoDB then sizes TableSizeBytes anew (captured facts 3, V9). Writers count their own
// changes. Rests during pauses. Not for a store that servers share, which has no vector indexes.
// Thread-safe.
class VectorSizes final : public TableFollowUp {
 public:
  VectorSizes(Engine& engine, const Catalog& catalog, CountPauses& pauses, Worker& jobs)
      : engine_(engine), catalog_(catalog), pauses_(pauses), jobs_(jobs) {}

  void resume() override;
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& /*table*/) override {}  // the count notices that its table is gone

 private:
  void count_later(const Table& table);
  void count(const TableName& name, std::uint32_t number, const std::stop_token& stop);

  Engine& engine_;
  const Catalog& catalog_;
  CountPauses& pauses_;
  Worker& jobs_;
};

}  // namespace magneto::storage
