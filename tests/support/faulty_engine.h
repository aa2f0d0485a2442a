#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "tests/support/forwarding_engine.h"

namespace magneto::storage {

// An engine that fails on request, or reports that it waits. The switch must outlive the engine,
// because a database owns the engine.
class FaultyEngine final : public ForwardingEngine {
 public:
  // Decides which commits fail. It may be replaced while other threads commit.
  class CommitFault {
   public:
    using Fails = std::function<bool(const WriteBatch& batch)>;
    CommitFault& operator=(Fails fails) {
      const std::lock_guard lock(mutex_);
      fails_ = std::move(fails);
      return *this;
    }
    bool operator()(const WriteBatch& batch) const {
      std::unique_lock lock(mutex_);
      const Fails fails = fails_;
      lock.unlock();
      return fails && fails(batch);
    }

   private:
    mutable std::mutex mutex_;
    Fails fails_;
  };

  struct Faults {
    std::atomic<bool> commits{false};
    std::atomic<bool> reads{false};  // of data; records of ColumnFamily::kSystem can be read
    std::atomic<bool> commits_wait{false};
    std::atomic<int> failed{0};  // operations that failed so far
    std::function<void()> before_clear = [] {};
    CommitFault fails;
  };

  FaultyEngine(std::unique_ptr<Engine> engine, std::shared_ptr<Faults> faults)
      : ForwardingEngine(std::move(engine)), faults_(std::move(faults)) {}

  bool commit_waits() const override {
    return faults_->commits_wait || ForwardingEngine::commit_waits();
  }
  PinnedValue get(const Tree& tree, std::string_view key) const override {
    if (tree.family() != ColumnFamily::kSystem) fail_if(faults_->reads);
    return ForwardingEngine::get(tree, key);
  }
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction, ScanHint hint) const override {
    fail_if(faults_->reads);
    return ForwardingEngine::scan(tree, lower, upper, direction, hint);
  }
  void commit(const WriteBatch& batch) override {
    fail_if(faults_->commits);
    if (faults_->fails(batch)) fail();
    ForwardingEngine::commit(batch);
  }
  void clear(Tree& tree) override {
    faults_->before_clear();
    fail_if(faults_->commits);
    ForwardingEngine::clear(tree);
  }
  void require_format(int format) override {
    fail_if(faults_->commits);
    ForwardingEngine::require_format(format);
  }

 private:
  void fail_if(const std::atomic<bool>& fault) const {
    if (fault) fail();
  }
  [[noreturn]] void fail() const {
    ++faults_->failed;
    throw EngineError("the disk is on fire");
  }

  const std::shared_ptr<Faults> faults_;
};

}  // namespace magneto::storage
