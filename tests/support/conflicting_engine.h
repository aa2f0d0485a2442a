#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "storage/engine/engine.h"

namespace magneto::storage {

// An engine whose scopes meet a conflict at each first commit: of those of the same keys every
// second one is committed. So everything that reads and decides in a scope does it twice.
class ConflictingEngine final : public Engine {
 public:
  // `conflicts`, which outlives the engine, counts them.
  ConflictingEngine(std::unique_ptr<Engine> engine, std::atomic<int>& conflicts)
      : engine_(std::move(engine)), conflicts_(conflicts) {}

  bool is_durable() const override { return engine_->is_durable(); }
  bool commit_waits() const override { return engine_->commit_waits(); }
  TreePtr open_tree(Family family, std::string prefix, std::string lower,
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
  SnapshotPtr snapshot() override { return engine_->snapshot(); }
  WriteScopePtr begin(std::span<const std::string_view> keys) override {
    std::string name;
    for (const std::string_view key : keys) {
      name.append(std::to_string(key.size())).append(" ").append(key);
    }
    return std::make_unique<Scope>(*this, std::move(name), engine_->begin(keys));
  }
  void wait_for_open_scopes() override { engine_->wait_for_open_scopes(); }
  void commit(const WriteBatch& batch) override { engine_->commit(batch); }
  void clear(Tree& tree) override { engine_->clear(tree); }
  void reclaim(Tree& tree) override { engine_->reclaim(tree); }
  void require_format(int format) override { engine_->require_format(format); }
  std::uint64_t disk_usage() const override { return engine_->disk_usage(); }

 private:
  class Scope final : public WriteScope {
   public:
    Scope(ConflictingEngine& engine, std::string name, WriteScopePtr scope)
        : engine_(engine), name_(std::move(name)), scope_(std::move(scope)) {}

    void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) override {
      scope_->get(reads, values);
    }
    CommitResult commit(const WriteBatch& batch) override {
      if (engine_.refuses(name_)) return CommitResult::kConflict;
      return scope_->commit(batch);
    }

   private:
    ConflictingEngine& engine_;
    const std::string name_;
    const WriteScopePtr scope_;
  };

  bool refuses(const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (refused_.erase(name) != 0) return false;
    refused_.insert(name);
    ++conflicts_;
    return true;
  }

  const std::unique_ptr<Engine> engine_;
  std::atomic<int>& conflicts_;
  std::mutex mutex_;  // guards refused_
  std::set<std::string> refused_;
};

}  // namespace magneto::storage
