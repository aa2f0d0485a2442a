#include "storage/background/replica_sender.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <span>

#include "absl/container/flat_hash_set.h"
#include "storage/background/deleted_stamps.h"
#include "storage/encoding/item_encoding.h"
#include "storage/encoding/keyspace.h"
#include "storage/messages/background_messages.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kItemsOfASentChunk = 32;
constexpr std::size_t kBytesOfASentChunk = 1 << 20;  // then no further item is added
// Chunks of one queue in a turn, so that no other queue or client waits long.
constexpr int kSentChunksOfATurn = 8;

// Writes the item as a change from another region left it.
class TakeImage {
 public:
  explicit TakeImage(std::string_view stored) : stored_(stored) {}

  WriteDecision operator()(const StoredItem& /*current*/) const {
    if (stored_.empty()) return WriteDecision::remove();
    return WriteDecision::put(Item(decode_item(stored_)));
  }

 private:
  std::string_view stored_;
};

}  // namespace

// Changes of different items.
struct ReplicaSender::Chunk {
  struct Change {
    std::string entry;  // the key in the queue
    std::string image;
    std::string target_key;
    Stamp stamp;
  };
  std::vector<Change> changes;
  absl::flat_hash_set<std::string> keys;
  std::size_t bytes = 0;

  bool is_full() const {
    return changes.size() >= kItemsOfASentChunk || bytes >= kBytesOfASentChunk;
  }
};

ReplicaSender::ReplicaSender(const Parts& parts, ReportWarning report)
    : parts_(parts),
      report_(std::move(report)),
      task_(parts.worker, [this](const std::stop_token& stop) { take_turn(stop); }),
      watch_(parts.clock, [this](Clock::TimePoint) {
        if (has_tables_.load()) look();
      }) {}

void ReplicaSender::note(const TableSchema& table) {
  {
    const std::lock_guard lock(mutex_);
    const TablePtr newest = parts_.catalog.find(table.database, table.name);
    if (newest == nullptr || newest->schema.global_table == nullptr) {
      names_.erase({table.database, table.name});
      return;
    }
    names_.emplace(table.database, table.name);
  }
  has_tables_.store(true);
  look();
}

void ReplicaSender::look() {
  if (!is_called_.exchange(true)) task_.due_now();
}

void ReplicaSender::begin(std::function<void()> on_sent) {
  on_sent_ = std::move(on_sent);
  std::vector<Left> found;
  for (const TablePtr& table : tables()) {
    const TableSchema& schema = table->schema;
    for (auto& [region, end] : ends(*table)) {
      const auto& queues = table->replication->queues;
      const auto queue = std::ranges::find(queues, region, &ReplicationQueue::region);
      found.push_back({.source = {schema.database, schema.name},
                       .region = region,
                       .target = {queue->database, schema.name},
                       .end = std::move(end)});
    }
  }
  const std::lock_guard lock(mutex_);
  left_ = std::move(found);
  has_left_.store(!left_.empty());
}

bool ReplicaSender::is_behind(const Table& table) const {
  if (!has_left_.load()) return false;
  const Name target(table.schema.database, table.schema.name);
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(left_, [&](const Left& left) {
    if (left.target != target) return false;
    TablePtr source;
    const auto next = first_waiting(left, source);
    return next && !due(expiry_in(*next), source->replication->source->lead());
  });
}

void ReplicaSender::record_sent() {
  if (!has_left_.load()) return;
  {
    const std::lock_guard lock(mutex_);
    TablePtr source;
    if (std::erase_if(left_, [&](const Left& left) { return !first_waiting(left, source); }) == 0)
      return;
    has_left_.store(!left_.empty());
  }
  on_sent_();
}

std::optional<std::string> ReplicaSender::first_waiting(const Left& left, TablePtr& source) const {
  source = parts_.catalog.find(left.source.first, left.source.second);
  if (source == nullptr || source->replication == nullptr) return std::nullopt;
  const auto& queues = source->replication->queues;
  const auto queue = std::ranges::find(queues, left.region, &ReplicationQueue::region);
  if (queue == queues.end()) return std::nullopt;
  return first_waiting(*queue, left.end);
}

std::optional<std::string> ReplicaSender::first_waiting(const ReplicationQueue& queue,
                                                        std::string_view end) const {
  const auto cursor =
      parts_.engine.scan(*queue.tree, {}, {}, Direction::kForward, {.entries = 1, .bytes = 0});
  if (!cursor->next() || (!end.empty() && cursor->key() > end)) return std::nullopt;
  return std::string(cursor->key());
}

std::vector<TablePtr> ReplicaSender::tables() {
  std::vector<TablePtr> found;
  const std::lock_guard lock(mutex_);
  for (const auto& [database, name] : names_) {
    TablePtr table = parts_.catalog.find(database, name);
    if (table != nullptr && table->replication != nullptr) found.push_back(std::move(table));
  }
  return found;
}

// A worker's turn: sends some changes of each queue.
void ReplicaSender::take_turn(const std::stop_token& stop) {
  is_called_.store(false);
  bool has_more = false;
  bool has_failed = false;
  std::optional<Clock::TimePoint> next;
  const std::vector<TablePtr> all = tables();
  for (const TablePtr& table : all) {
    for (const ReplicationQueue& queue : table->replication->queues) {
      try {
        Sent sent = Sent::kSome;
        for (int i = 0; i < kSentChunksOfATurn && sent == Sent::kSome; ++i) {
          if (stop.stop_requested()) return;
          sent = send_some(*table, queue, true, next);
        }
        has_more = has_more || sent == Sent::kSome;
      } catch (const std::exception& error) {
        report_retry(report_, messages::kGlobalTables, error);
        has_failed = true;
      }
    }
  }
  record_sent();
  if (has_more) return look();
  forget_deleted_of(all, next);
  if (has_failed) task_.due_after(kRetryDelay);
  if (next) task_.due_by(parts_.clock, *next);
}

// Keeps the stamps of deleted items while an older change is pending, which must be sent first.
void ReplicaSender::forget_deleted_of(const std::vector<TablePtr>& tables,
                                      std::optional<Clock::TimePoint>& next) const {
  const Clock::TimePoint now = parts_.clock.now();
  std::int64_t oldest = std::numeric_limits<std::int64_t>::max();
  for (const TablePtr& table : tables) {
    for (const ReplicationQueue& queue : table->replication->queues) {
      if (const auto made = first_waiting(queue)) oldest = std::min(oldest, expiry_in(*made));
    }
  }
  for (const TablePtr& table : tables) {
    const auto due = forget_deleted(parts_.engine, *table, now, oldest);
    if (due) next = std::min(next.value_or(*due), *due);
  }
}

ReplicaSender::Ends ReplicaSender::ends(const Table& table, std::string_view region) const {
  Ends ends;
  if (table.replication == nullptr) return ends;
  for (const ReplicationQueue& queue : table.replication->queues) {
    if (!region.empty() && queue.region != region) continue;
    const auto cursor =
        parts_.engine.scan(*queue.tree, {}, {}, Direction::kBackward, {.entries = 1, .bytes = 0});
    if (cursor->next()) ends.emplace_back(queue.region, cursor->key());
  }
  return ends;
}

void ReplicaSender::send_some_up_to(const TablePtr& table, Ends& ends,
                                    const std::stop_token& stop) {
  if (table->replication == nullptr) return ends.clear();
  // A region that cannot be reached does not block the others.
  std::exception_ptr thrown;
  std::erase_if(ends, [&](const auto& end) {
    const auto& queues = table->replication->queues;
    const auto queue = std::ranges::find(queues, end.first, &ReplicationQueue::region);
    if (queue == queues.end()) return true;
    try {
      return has_come_to(*table, *queue, end.second, stop);
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  });
  if (thrown) std::rethrow_exception(thrown);
}

// Changes that arrive after the end do not matter; if they are sent, they are not lost.
bool ReplicaSender::has_come_to(const Table& table, const ReplicationQueue& queue,
                                std::string_view end, const std::stop_token& stop) {
  std::optional<Clock::TimePoint> next;
  for (int i = 0; i < kSentChunksOfATurn && !stop.stop_requested(); ++i) {
    if (!first_waiting(queue, end)) return true;
    if (send_some(table, queue, false, next) == Sent::kAll) return true;
  }
  return false;
}

// nullopt: now. A change made in the future, after the clock was set back, is sent now.
std::optional<Clock::TimePoint> ReplicaSender::due(std::int64_t made, Clock::Duration lead) const {
  const auto delay = parts_.delay.delay();
  if (!delay) return std::nullopt;
  if (parts_.delay.is_held()) return Clock::TimePoint::max();
  const Clock::TimePoint now = parts_.clock.now();
  const Clock::TimePoint time = Clock::TimePoint(Clock::Duration(made)) - lead;
  if (time > now || time + *delay <= now) return std::nullopt;
  return time + *delay;
}

ReplicaSender::Sent ReplicaSender::send_some(const Table& table, const ReplicationQueue& queue,
                                             bool is_delayed,
                                             std::optional<Clock::TimePoint>& next) {
  const TablePtr target = parts_.catalog.find(queue.database, table.schema.name);
  if (target == nullptr || target->replication == nullptr ||
      target->schema.status == ResourceStatus::kDeleting) {
    return Sent::kAll;  // it does not exist yet, or is being deleted
  }
  const std::string prefix = tree_prefix(target->schema.number, 0);
  Chunk chunk;
  const auto cursor =
      parts_.engine.scan(*queue.tree, {}, {}, Direction::kForward,
                         {.entries = kItemsOfASentChunk, .bytes = kBytesOfASentChunk});
  bool has_more = false;
  while (!has_more && cursor->next()) {
    const std::int64_t made = expiry_in(cursor->key());
    const auto time = is_delayed ? due(made, table.replication->source->lead()) : std::nullopt;
    if (time) {
      if (*time != Clock::TimePoint::max()) next = std::min(next.value_or(*time), *time);
      break;
    }
    std::string key = item_key_in(cursor->key());
    has_more = chunk.is_full() || !chunk.keys.insert(key).second;
    if (has_more) break;
    chunk.bytes += cursor->value().size();
    chunk.changes.push_back(
        {.entry = std::string(cursor->key()),
         .image = std::string(cursor->value()),
         .target_key = prefix + key.substr(prefix.size()),
         .stamp = {.time = static_cast<std::uint64_t>(made), .region = table.replication->region}});
  }
  if (!chunk.changes.empty()) make(chunk, target, queue);
  return has_more ? Sent::kSome : Sent::kAll;
}

void ReplicaSender::make(const Chunk& chunk, const TablePtr& target,
                         const ReplicationQueue& queue) {
  std::vector<TakeImage> decisions;
  decisions.reserve(chunk.changes.size());
  std::vector<ItemWrite> writes;
  writes.reserve(chunk.changes.size());
  for (const Chunk::Change& change : chunk.changes) {
    decisions.emplace_back(change.image);
    writes.push_back({.table = target,
                      .key = change.target_key,
                      .decide = decisions.back(),
                      .stamp = &change.stamp});
  }
  const auto forget = [&](std::span<const WriteOutcome>, WriteBatch& batch) {
    for (const Chunk::Change& change : chunk.changes) batch.remove(queue.tree, change.entry);
  };
  try {
    parts_.writer.write_all(writes, forget);
  } catch (const TableGone&) {
    // The queue is removed with the replica.
  }
}

}  // namespace magneto::storage
