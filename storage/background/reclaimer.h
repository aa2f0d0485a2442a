#pragma once

#include <memory>
#include <vector>

#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"

namespace magneto::storage {

// Frees the space of dropped tables, indexes, expiry queues, backups and histories. Thread-safe.
class Reclaimer final : public TableFollowUp {
 public:
  Reclaimer(Engine& engine, Catalog& catalog, Worker& jobs)
      : engine_(engine), catalog_(catalog), jobs_(jobs) {}

  void resume() override;
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& table) override;
  // Like drop(), for a single tree of items that belongs to no table (Catalog::change_beside).
  void reclaim_items(const TreePtr& tree);
  // Like drop(), for a segment of a history that continues.
  void reclaim_segment(std::uint32_t history, const TableHistory::Segment& segment);

 private:
  void reclaim_replication(std::uint32_t table_number, const Replication* previous,
                           const Replication* now);
  void reclaim_history(const TableHistory& history);
  void reclaim_index(std::uint32_t table_number, const Index& index);
  void reclaim(Catalog::Dropped dropped, std::vector<TreePtr> trees,
               std::shared_ptr<IndexApplier> applier = nullptr);

  Engine& engine_;
  Catalog& catalog_;
  Worker& jobs_;
};

}  // namespace magneto::storage
