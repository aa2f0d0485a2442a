#include "storage/background/ttl_sweeper.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/keyspace.h"
#include "storage/messages/background_messages.h"
#include "storage/model/expiry.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kItemsOfAChunk = 32;

// Decides on an item that an entry of the queue says has expired.
class DeleteExpired {
 public:
  DeleteExpired(const ExpiryQueue& queue, std::string_view entry)
      : queue_(&queue), expiry_(expiry_in(entry)) {}

  WriteDecision operator()(const StoredItem& current) const {
    if (queue_->dropped->load()) return WriteDecision::reject();
    const bool expired = current && expiry_of(current.view(), queue_->attribute) == expiry_;
    return expired ? WriteDecision::remove() : WriteDecision::keep();
  }

 private:
  const ExpiryQueue* queue_;
  std::int64_t expiry_;
};

}  // namespace

TtlSweeper::TtlSweeper(const Parts& parts, std::chrono::milliseconds delay, ReportWarning report)
    : parts_(parts),
      delay_(delay),
      thread_(std::string(messages::kTimeToLive), std::move(report),
              [this](const std::stop_token& stop) {
                parts_.timer.wait(parts_.clock, delay_, stop);
                if (!stop.stop_requested()) sweep(stop);
                return std::chrono::milliseconds(0);
              }) {}

void TtlSweeper::sweep(const std::stop_token& stop) {
  const std::lock_guard lock(mutex_);
  parts_.timer.clear();
  std::int64_t first = 0;  // when it fails the thread is to look again
  const auto set_timer = absl::MakeCleanup([&] { parts_.timer.set(first); });
  first = sweep_tables(stop);
}

std::int64_t TtlSweeper::sweep_tables(const std::stop_token& stop) {
  std::int64_t first = kNever;
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (table->schema.time_to_live.status != TimeToLiveStatus::kEnabled) continue;
    first = std::min(first, sweep_table(table, stop));
  }
  return first;
}

// The first expiry that has not come yet.
std::int64_t TtlSweeper::sweep_table(const TablePtr& table, const std::stop_token& stop) {
  const Tree& tree = *table->expiry->tree;
  const std::int64_t end = expired_before(parts_.clock.now(), delay_);
  const std::int64_t begin = expired_before(parts_.clock.now() - kExpiryWindow, {});
  const std::string oldest = expiry_bound(tree.prefix(), std::max<std::int64_t>(begin, 0));
  const auto cursor = parts_.engine.scan(tree, oldest, {}, Direction::kForward);
  std::vector<std::string> expired;
  std::int64_t first = kNever;
  while (cursor->next()) {
    const std::int64_t expiry = expiry_in(cursor->key());
    if (expiry >= end) {
      first = expiry;
      break;
    }
    expired.emplace_back(cursor->key());
    if (expired.size() < kItemsOfAChunk) continue;
    if (stop.stop_requested() || !remove(table, expired)) return kNever;
    expired.clear();
    if (parts_.changes.over_limit()) parts_.replicator.wait_for_all(stop);
  }
  return expired.empty() || remove(table, expired) ? first : kNever;
}

// Deletes the items of these entries; false when the queue is dropped. Waits for transactions that
// hold an item.
bool TtlSweeper::remove(const TablePtr& table, const std::vector<std::string>& entries) {
  const ExpiryQueue& queue = *table->expiry;
  std::vector<DeleteExpired> decisions;
  decisions.reserve(entries.size());
  std::vector<ItemWrite> writes;
  for (const std::string& entry : entries) {
    decisions.emplace_back(queue, entry);
    writes.push_back({table, item_key_in(entry), decisions.back(), true});
  }
  // An entry that speaks for no item, or for one that expires at another time, goes too.
  const auto forget = [&](std::span<const WriteOutcome>, WriteBatch& batch) {
    for (const std::string& entry : entries) batch.remove(queue.tree, entry);
  };
  try {
    const std::vector<WriteOutcome> outcomes = parts_.writer.write_all(writes, forget);
    return std::ranges::none_of(outcomes, &WriteOutcome::rejected);
  } catch (const TableGone&) {
    return false;
  }
}

}  // namespace magneto::storage
