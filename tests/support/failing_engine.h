#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "storage/engine/engine.h"

namespace magneto::storage {

// Passes everything on to another engine but fails where a test says so. A failed call throws
// EngineError and reaches the other engine not at all. Thread-safe.
class FailingEngine final : public Engine {
 public:
  // Of later calls of one function: after `passing` good ones, `failing` throw, the rest are good.
  class Fault {
   public:
    void arm(long passing, long failing = 1);
    void call(const char* function);  // throws when this call is to fail
    long calls() const { return calls_; }

   private:
    std::atomic<long> calls_ = 0;
    std::atomic<long> first_ = 0;  // number of the first call to fail
    std::atomic<long> end_ = 0;    // of the first good one after it
  };

  explicit FailingEngine(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  Fault& commits() { return commits_; }
  Fault& gets() { return gets_; }
  Fault& scans() { return scans_; }

  bool is_durable() const override { return engine_->is_durable(); }
  TreePtr open_tree(Family family, std::string prefix, std::string lower,
                    std::string upper) override;
  StoredValue get(const Tree& tree, std::string_view key) const override;
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction) const override;
  void commit(const WriteBatch& batch) override;
  void clear(Tree& tree) override { engine_->clear(tree); }
  std::uint64_t disk_usage() const override { return engine_->disk_usage(); }

 private:
  const std::unique_ptr<Engine> engine_;
  Fault commits_;
  mutable Fault gets_;
  mutable Fault scans_;
};

}  // namespace magneto::storage
