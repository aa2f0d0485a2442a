#include "storage/background/global_index_replicator.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/item_encoding.h"
#include "storage/model/narrow.h"
#include "storage/table/item_writer.h"

namespace magneto::storage {
namespace {

// About a millisecond of work each.
constexpr std::size_t kWritesOfAChunk = 512;
constexpr std::uint64_t kBytesOfAChunk = 4 << 20;
constexpr std::chrono::milliseconds kPollInterval{2};
// Without work for so many polls the thread sleeps until a push wakes it, which costs the writer a
// system call; while it polls, a push costs none.
constexpr int kIdlePolls = 100;

using Writes = std::vector<QueuedWrite>;

Writes::iterator end_of_chunk(Writes::iterator first, Writes::iterator end,
                              std::optional<Clock::TimePoint> made_before) {
  std::uint64_t bytes = 0;
  auto last = first;
  while (last != end && last - first < std::ptrdiff_t{kWritesOfAChunk} && bytes < kBytesOfAChunk &&
         !(made_before && last->made > *made_before)) {
    bytes += last++->bytes;
  }
  return last;
}

bool is_of_incomplete_index(const QueuedWrite& write) {
  return std::ranges::any_of(write.changes, [](const GlobalIndexChange& queued) {
    const IndexSchema& index = queued.index->schema;
    return index.status == ResourceStatus::kCreating || index.backfilling;
  });
}

}  // namespace

GlobalIndexReplicator::GlobalIndexReplicator(Engine& engine, GlobalIndexQueue& queue,
                                             const Clock& clock,
                                             std::optional<std::chrono::milliseconds> delay,
                                             ReportWarning report)
    : engine_(engine), queue_(queue), clock_(clock), delay_(delay), report_(std::move(report)) {}

GlobalIndexReplicator::~GlobalIndexReplicator() { stop(); }

void GlobalIndexReplicator::start() {
  thread_ = std::jthread([this](std::stop_token stop) { run(std::move(stop)); });
}

void GlobalIndexReplicator::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void GlobalIndexReplicator::apply_pushed() {
  const std::uint64_t target = queue_.pushed();
  if (applied_.load(std::memory_order_acquire) >= target) return;
  if (engine_.commit_waits() || is_much_waiting(target)) Effort::before_waiting();
  readers_.fetch_add(1, std::memory_order_relaxed);
  const auto leave =
      absl::MakeCleanup([this] { readers_.fetch_sub(1, std::memory_order_relaxed); });
  Effort::take(mutex_);
  const std::lock_guard lock(mutex_, std::adopt_lock);
  while (applied_.load(std::memory_order_relaxed) < target) apply_chunk(std::nullopt);
}

// Roughly: others push and apply meanwhile.
bool GlobalIndexReplicator::is_much_waiting(std::uint64_t target) const {
  const auto writes = static_cast<std::int64_t>(target - applied_.load(std::memory_order_acquire));
  const auto bytes = static_cast<std::int64_t>(queue_.pushed_bytes() - applied_bytes_.load());
  return writes > std::int64_t{kWritesOfAChunk} || bytes > std::int64_t{kBytesOfAChunk};
}

void GlobalIndexReplicator::try_to_apply_pushed() {
  try {
    apply_pushed();
  } catch (const EngineError& error) {
    report_(std::string("global indexes: ") + error.what() + "; trying again");
  }
}

void GlobalIndexReplicator::wait_for_pushed(const std::stop_token& stop) {
  if (!delay_) return apply_pushed();
  const std::uint64_t target = queue_.pushed();
  std::unique_lock lock(pause_mutex_);
  while (applied_.load(std::memory_order_acquire) < target && !stop.stop_requested()) {
    pause_.wait_for(lock, stop, kPollInterval, [] { return false; });
  }
}

void GlobalIndexReplicator::wait_for_dropped() {
  const std::lock_guard lock(mutex_);
  if (staged_ != 0) apply_chunk(std::nullopt);
}

void GlobalIndexReplicator::run(std::stop_token stop) {
  int idle = kIdlePolls;
  while (!stop.stop_requested()) {
    bool applied = false;
    std::chrono::milliseconds pause = kPollInterval;
    try {
      const std::lock_guard lock(mutex_);
      applied = apply_chunk(delay_ ? std::optional(clock_.now() - *delay_) : std::nullopt);
    } catch (const std::exception& error) {
      report_(std::string("global indexes: ") + error.what() + "; trying again");
      pause = Worker::kRetryDelay;
    }
    idle = applied ? 0 : idle + 1;
    const std::uint64_t waiting = queue_.pushed() - applied_.load(std::memory_order_relaxed);
    if (idle > kIdlePolls && waiting == 0) {
      queue_.wait_for_push(stop);
      idle = 0;
    } else if (!applied || waiting < kWritesOfAChunk || readers_.load() != 0) {
      std::unique_lock lock(pause_mutex_);
      pause_.wait_for(lock, stop, pause, [] { return false; });
    }
  }
}

bool GlobalIndexReplicator::apply_chunk(std::optional<Clock::TimePoint> made_before) {
  if (staged_ == 0) {
    if (next_ == taken_.size()) {
      taken_.clear();
      next_ = 0;
      queue_.take(taken_);
    }
    const auto first = taken_.begin() + static_cast<std::ptrdiff_t>(next_);
    const auto last = end_of_chunk(first, taken_.end(), made_before);
    if (first == last) return false;
    stage_chunk(first, last);
  }
  if (!batch_.empty()) engine_.commit(batch_);
  for (const Effect& effect : effects_) {
    effect.statistics->item_count.fetch_add(effect.items, std::memory_order_relaxed);
    effect.statistics->size_bytes.fetch_add(effect.bytes, std::memory_order_relaxed);
  }
  batch_.clear();
  effects_.clear();
  next_ += staged_;
  applied_bytes_.fetch_add(std::exchange(staged_bytes_, 0), std::memory_order_relaxed);
  applied_.fetch_add(std::exchange(staged_, 0), std::memory_order_release);
  return true;
}

void GlobalIndexReplicator::stage_chunk(std::vector<QueuedWrite>::iterator first,
                                        std::vector<QueuedWrite>::iterator last) {
  const bool recount = std::any_of(first, last, is_of_incomplete_index);
  effects_.clear();
  counted_sizes_.clear();
  staged_bytes_ = 0;
  for (auto write = first; write != last; ++write) {  // may throw: nothing is moved yet
    for (const GlobalIndexChange& queued : write->changes) count(queued, recount);
  }
  for (auto write = first; write != last; ++write) {
    for (GlobalIndexChange& queued : write->changes) {
      if (queued.index->dropped->load()) continue;
      append_entry_change(batch_, *queued.index, std::move(queued.change));
    }
    queue_.remove_record(batch_, *write);
    staged_bytes_ += write->bytes;
  }
  staged_ = static_cast<std::size_t>(last - first);
}

// Until an index is filled a change cannot know whether the entry it replaces is there yet, so
// `recount` looks; a chunk recounts all its changes, since they may concern one another.
void GlobalIndexReplicator::count(const GlobalIndexChange& queued, bool recount) {
  const Index& index = *queued.index;
  const EntryChange& change = queued.change;
  const bool puts = !change.put_key.empty();
  Effect effect{index.statistics.get(), (puts ? 1 : 0) - (change.old_size != 0 ? 1 : 0),
                std::int64_t{change.new_size} - std::int64_t{change.old_size}};
  if (recount) {
    effect.items = puts ? 1 : 0;
    effect.bytes = change.new_size;
    for (const std::string* key : {&change.delete_key, &change.put_key}) {
      if (key->empty()) continue;
      const auto counted = counted_sizes_.find(*key);
      const std::uint32_t size =
          counted != counted_sizes_.end() ? counted->second : stored_size(index, *key);
      effect.items -= size != 0 ? 1 : 0;
      effect.bytes -= size;
      counted_sizes_.insert_or_assign(*key, key == &change.put_key ? change.new_size : 0);
    }
  }
  effects_.push_back(effect);
}

std::uint32_t GlobalIndexReplicator::stored_size(const Index& index, const std::string& key) const {
  const StoredValue stored = engine_.get(*index.partitions.tree_of(key), key);
  return stored ? narrow<std::uint32_t>(decode_item_size(stored.bytes())) : 0;
}

}  // namespace magneto::storage
