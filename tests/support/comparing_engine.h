#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/forwarding_engine.h"

namespace magneto::storage {

// An engine whose scopes remember the values that are read through them. A scope's commit fails
// with a conflict if one of these values has changed. The engine does not notice reads past the
// scope. For one thread.
class ComparingEngine final : public ForwardingEngine {
 public:
  using ForwardingEngine::ForwardingEngine;

  // `call` runs once, between the reads and the commit of the next scope that commits. It commits
  // without a scope, like another process.
  void before_commit(std::function<void()> call) { before_commit_ = std::move(call); }
  int conflicts() const { return conflicts_; }

  WriteScopePtr begin(std::span<const std::string_view> keys) override {
    return std::make_unique<Scope>(*this, ForwardingEngine::begin(keys));
  }
  using Engine::begin;

 private:
  class Scope final : public WriteScope {
   public:
    Scope(ComparingEngine& engine, WriteScopePtr scope)
        : engine_(engine), scope_(std::move(scope)) {}

    void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) override {
      scope_->get(reads, values);
      for (std::size_t i = 0; i < reads.size(); ++i) {
        seen_.push_back({reads[i].tree, std::string(reads[i].key), bytes_of(values[i])});
      }
    }
    CommitResult commit(const WriteBatch& batch) override {
      if (const auto call = std::exchange(engine_.before_commit_, nullptr)) call();
      const auto is_there = [&](const Seen& seen) {
        return bytes_of(engine_.get(*seen.tree, seen.key)) == seen.bytes;
      };
      if (std::ranges::all_of(seen_, is_there)) return scope_->commit(batch);
      ++engine_.conflicts_;
      return CommitResult::kConflict;
    }

   private:
    struct Seen {
      const Tree* tree;
      std::string key;
      std::optional<std::string> bytes;  // nullopt if there was no value
    };

    static std::optional<std::string> bytes_of(const PinnedValue& value) {
      return value ? std::optional(std::string(value.bytes())) : std::nullopt;
    }

    ComparingEngine& engine_;
    const WriteScopePtr scope_;
    std::vector<Seen> seen_;
  };

  std::function<void()> before_commit_;
  int conflicts_ = 0;
};

}  // namespace magneto::storage
