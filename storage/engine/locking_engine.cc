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

}  // namespace

WriteScopePtr LockingEngine::begin(std::span<const std::string_view> keys) {
  return std::make_unique<LockedScope>(*this, locks_.lock(keys));
}

}  // namespace magneto::storage
