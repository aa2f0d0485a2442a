#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "storage/engine/locking_engine.h"

namespace magneto::storage {

// An engine that passes all calls on to another engine, except for scopes. It has its own scopes,
// and they commit through its commit(). It has no local disk, since save() of the other engine
// would not wait for these scopes. Tests override the functions that they want to change.
class ForwardingEngine : public LockingEngine {
 public:
  explicit ForwardingEngine(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  bool is_durable() const override { return engine_->is_durable(); }
  bool commit_waits() const override { return engine_->commit_waits(); }
  bool is_current() const override { return engine_->is_current(); }
  std::size_t max_key_bytes() const override { return engine_->max_key_bytes(); }
  TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower,
                    std::string upper) override {
    return engine_->open_tree(family, std::move(prefix), std::move(lower), std::move(upper));
  }
  PinnedValue get(const Tree& tree, std::string_view key) const override {
    return engine_->get(tree, key);
  }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    return engine_->scan(tree, lower, upper, direction, hint);
  }
  using Engine::scan;
  SnapshotPtr snapshot() override { return engine_->snapshot(); }
  bool changed_since(const Snapshot& snapshot) const override {
    return engine_->changed_since(snapshot);
  }
  bool keeps_replaced() const override { return engine_->keeps_replaced(); }
  void commit(const WriteBatch& batch) override { engine_->commit(batch); }
  void clear(Tree& tree) override { engine_->clear(tree); }
  void require_format(int format) override { engine_->require_format(format); }
  std::uint64_t estimate_size(const Tree& tree) const override {
    return engine_->estimate_size(tree);
  }
  std::string describe_refusal() override { return engine_->describe_refusal(); }
  EngineStatistics statistics() const override { return engine_->statistics(); }

 private:
  const std::unique_ptr<Engine> engine_;
};

}  // namespace magneto::storage
