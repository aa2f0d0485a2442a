#include "storage/engine/locking_engine.h"

#include <utility>

namespace magneto::storage {
namespace {

class LockedScope final : public WriteScope {
 public:
  LockedScope(Engine& engine, KeyLocks::Holder locks) : engine_(engine), locks_(std::move(locks)) {}

  void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) override {
    engine_.get(reads, values);
  }
  CommitResult commit(const WriteBatch& batch) override {
    if (!batch.empty()) engine_.commit(batch);
    return CommitResult::kCommitted;
  }

 private:
  Engine& engine_;
  const KeyLocks::Holder locks_;
};

class LockPause final : public ScopePause {
 public:
  explicit LockPause(KeyLocks& locks) : pause_(locks) {}

 private:
  const KeyLocks::Pause pause_;
};

}  // namespace

WriteScopePtr LockingEngine::begin(std::span<const std::string_view> keys) {
  return std::make_unique<LockedScope>(*this, locks_.lock(keys));
}

ScopePausePtr LockingEngine::pause_scopes() { return std::make_unique<LockPause>(locks_); }

}  // namespace magneto::storage
