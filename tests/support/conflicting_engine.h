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

#include "tests/support/forwarding_engine.h"

namespace magneto::storage {

// An engine whose scopes have a conflict at each first commit: of scopes with the same keys, only
// every second one is committed. So all code that reads and decides in a scope runs twice.
class ConflictingEngine final : public ForwardingEngine {
 public:
  // `conflicts` counts the conflicts; it must outlive the engine.
  ConflictingEngine(std::unique_ptr<Engine> engine, std::atomic<int>& conflicts)
      : ForwardingEngine(std::move(engine)), conflicts_(conflicts) {}

  WriteScopePtr begin(std::span<const std::string_view> keys) override {
    std::string name;
    for (const std::string_view key : keys) {
      name.append(std::to_string(key.size())).append(" ").append(key);
    }
    return std::make_unique<Scope>(*this, std::move(name), ForwardingEngine::begin(keys));
  }

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

  std::atomic<int>& conflicts_;
  std::mutex mutex_;  // guards refused_
  std::set<std::string> refused_;
};

}  // namespace magneto::storage
