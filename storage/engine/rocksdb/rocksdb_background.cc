#include "storage/engine/rocksdb/rocksdb_background.h"

#include <rocksdb/listener.h>

#include <mutex>
#include <set>
#include <string>

#include "storage/engine/rocksdb/background_throttle.h"

namespace magneto::storage {
namespace {

class BackgroundListener final : public rocksdb::EventListener {
 public:
  explicit BackgroundListener(BackgroundState& state) : state_(state) {}

  const char* Name() const override { return "BackgroundListener"; }

  void OnFlushBegin(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { enter_background(); }
  void OnCompactionBegin(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override {
    enter_background();
  }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo& info) override {
    state_.compactions_fail = !info.status.ok();
  }

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status*) override {
    if (reason == rocksdb::BackgroundErrorReason::kWriteCallback ||
        reason == rocksdb::BackgroundErrorReason::kMemTable) {
      state_.is_log_broken = true;
    }
  }
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }

  void OnStallConditionsChanged(const rocksdb::WriteStallInfo& info) override {
    const std::lock_guard lock(mutex_);
    // A newly opened family may have a condition other than normal without an event.
    if (info.condition.cur == rocksdb::WriteStallCondition::kNormal) {
      stalled_families_.erase(info.cf_name);
    } else {
      stalled_families_.insert(info.cf_name);
    }
    state_.is_stalled = !stalled_families_.empty();
  }

 private:
  BackgroundState& state_;
  std::mutex mutex_;  // guards stalled_families_
  std::set<std::string> stalled_families_;
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> make_background_listener(BackgroundState& state) {
  return std::make_shared<BackgroundListener>(state);
}

}  // namespace magneto::storage
