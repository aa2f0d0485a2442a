#pragma once

#include "storage/background/control_plane_delay.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"

namespace magneto::storage {

// The streams of tables: closes those that their tables no longer use, and returns their statuses.
// Thread-safe.
class StreamTransitions final : public TableFollowUp {
 public:
  // `timers` closes streams that could not be closed at once.
  StreamTransitions(Engine& engine, const ControlPlaneDelay& delay, Worker& timers)
      : engine_(engine), delay_(delay), timers_(timers) {}

  StreamStatus status(const StreamLog& stream) const;

  void resume() override {}  // Catalog::load() closes streams without a table
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& table) override;

 private:
  void close_unless_kept(const StreamPtr& log, const StreamPtr& kept);

  Engine& engine_;
  const ControlPlaneDelay& delay_;
  Worker& timers_;
};

}  // namespace magneto::storage
