#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "storage/engine/locking_engine.h"

namespace magneto::storage {

// An engine that fails when told to, or says that it waits. The switch outlives the engine, which a
// database owns.
class FaultyEngine final : public LockingEngine {
 public:
  struct Faults {
    std::atomic<bool> commits{false};
    std::atomic<bool> reads{false};
    std::atomic<bool> commits_wait{false};
    std::atomic<int> failed{0};  // operations that failed so far
    std::function<void()> before_clear = [] {};
    std::function<bool(const WriteBatch& batch)> fails = [](const WriteBatch&) { return false; };
  };

  FaultyEngine(std::unique_ptr<Engine> engine, std::shared_ptr<Faults> faults)
      : engine_(std::move(engine)), faults_(std::move(faults)) {}

  bool is_durable() const override { return engine_->is_durable(); }
  bool commit_waits() const override { return faults_->commits_wait || engine_->commit_waits(); }
  TreePtr open_tree(Family family, std::string prefix, std::string lower,
                    std::string upper) override {
    return engine_->open_tree(family, std::move(prefix), std::move(lower), std::move(upper));
  }
  PinnedValue get(const Tree& tree, std::string_view key) const override {
    fail_if(faults_->reads);
    return engine_->get(tree, key);
  }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    fail_if(faults_->reads);
    return engine_->scan(tree, lower, upper, direction, hint);
  }
  using Engine::scan;
  SnapshotPtr snapshot() override { return engine_->snapshot(); }
  void commit(const WriteBatch& batch) override {
    fail_if(faults_->commits);
    if (faults_->fails(batch)) fail();
    engine_->commit(batch);
  }
  void clear(Tree& tree) override {
    faults_->before_clear();
    fail_if(faults_->commits);
    engine_->clear(tree);
  }
  void reclaim(Tree& tree) override {
    fail_if(faults_->commits);
    engine_->reclaim(tree);
  }
  void require_format(int format) override {
    fail_if(faults_->commits);
    engine_->require_format(format);
  }
  std::uint64_t estimate_size(const Tree& tree) const override {
    return engine_->estimate_size(tree);
  }
  std::uint64_t disk_usage() const override { return engine_->disk_usage(); }

 private:
  void fail_if(const std::atomic<bool>& fault) const {
    if (fault) fail();
  }
  [[noreturn]] void fail() const {
    ++faults_->failed;
    throw EngineError("the disk is on fire");
  }

  const std::unique_ptr<Engine> engine_;
  const std::shared_ptr<Faults> faults_;
};

}  // namespace magneto::storage
