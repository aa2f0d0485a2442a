#include "storage/index/change_log.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/keyspace.h"
#include "storage/engine/store_format.h"
#include "storage/index/change_record.h"
#include "storage/messages/record_messages.h"

namespace magneto::storage {
namespace {

// Records that one batch removes at most; the next batch continues.
constexpr std::uint64_t kMostRemoved = 4'096;

}  // namespace

ChangeLog::ChangeLog(Engine& engine)
    : engine_(engine),
      tree_(engine.is_durable() ? engine.open_tree(ColumnFamily::kQueue, "") : nullptr) {}

void ChangeLog::load(const Appliers& appliers) {
  if (tree_ == nullptr) return;
  // New numbers must be above all positions, which count as applied.
  absl::flat_hash_map<const IndexApplier*, std::uint64_t> positions;
  for (const auto& [numbers, applier] : appliers) {
    const std::uint64_t position = applier->store().applied_through();
    positions.emplace(applier.get(), position);
    sequence_.raise(position);
  }
  std::optional<std::uint64_t> first;
  const auto cursor = engine_.scan(*tree_, {}, {}, Direction::kForward);
  while (cursor->next()) {
    if (cursor->key().size() != sizeof(std::uint64_t)) {
      throw EngineError(messages::kDamagedQueueRecord);
    }
    const std::uint64_t sequence = read_uint64(cursor->key());
    if (!first) first = sequence;
    for (EntryChange& change : decode_change_record(cursor->value())) {
      const std::string_view key = change.key();
      const auto found =
          appliers.find({read_uint32(key), read_uint16(key.substr(sizeof(std::uint32_t)))});
      if (found == appliers.end()) continue;
      IndexApplier& applier = *found->second;
      if (sequence < positions.at(&applier)) continue;
      applier.push({.change = std::move(change), .sequence = sequence, .look_up = true});
    }
    sequence_.raise(sequence);
  }
  trimmed_ = first.value_or(sequence_.last() + 1);
}

std::vector<std::shared_ptr<IndexApplier>> ChangeLog::busy() const {
  const std::lock_guard lock(mutex_);
  return busy_;
}

void ChangeLog::wait_for_change(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  // A reader may have applied the changes meanwhile. The thread then sleeps again and needs another
  // wake-up.
  became_busy_.wait(lock, stop, [this] {
    consumer_sleeps_ = busy_.empty();
    return !consumer_sleeps_;
  });
  consumer_sleeps_ = false;
}

bool ChangeLog::rest() {
  const std::lock_guard lock(mutex_);
  consumer_sleeps_ = busy_.empty();
  return consumer_sleeps_;
}

std::uint64_t ChangeLog::draw() {
  const std::lock_guard lock(mutex_);
  return sequence_.draw(1);
}

void ChangeLog::append(std::uint64_t sequence, std::string record, WriteBatch& batch) const {
  batch.put(tree_, queue_key(sequence), std::move(record));
}

void ChangeLog::finish(std::uint64_t sequence) {
  const std::lock_guard lock(mutex_);
  sequence_.finish(sequence);
}

std::uint64_t ChangeLog::visible_end() const {
  const std::lock_guard lock(mutex_);
  return sequence_.visible_end();
}

void ChangeLog::record_pushed(std::size_t bytes) {
  waiting_changes_.fetch_add(1, std::memory_order_relaxed);
  waiting_bytes_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}

void ChangeLog::record_applied(std::size_t changes, std::size_t bytes) {
  waiting_changes_.fetch_sub(static_cast<std::int64_t>(changes), std::memory_order_relaxed);
  waiting_bytes_.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}

void ChangeLog::add_busy(std::shared_ptr<IndexApplier> applier) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    busy_.push_back(std::move(applier));
    if (busy_.size() > 1) wants_positions_.store(true, std::memory_order_relaxed);
    wake = std::exchange(consumer_sleeps_, false);
  }
  if (!wake) return;
  if (call_) return call_();
  became_busy_.notify_one();
}

void ChangeLog::remove_busy(const IndexApplier& applier) {
  const std::lock_guard lock(mutex_);
  std::erase_if(busy_, [&](const auto& one) { return one.get() == &applier; });
}

// Changes that are pushed later have numbers of at least visible_end(), and every applier with
// pending changes is in busy_: see ChangeAppends.
std::uint64_t ChangeLog::begin_trim(const void* trimmer, const IndexApplier* applier,
                                    std::uint64_t position, WriteBatch& batch) {
  if (trimmer_ != nullptr) return trimmed_;
  std::uint64_t end = std::min({position, sequence_.visible_end(), trimmed_ + kMostRemoved});
  for (const auto& other : busy_) {
    if (other.get() != applier) end = std::min(end, other->oldest());
  }
  if (end <= trimmed_) return trimmed_;
  for (std::uint64_t at = trimmed_; at < end; ++at) batch.remove(tree_, queue_key(at));
  trimmer_ = trimmer;
  trim_end_ = end;
  return end;
}

std::uint64_t ChangeLog::trim(const IndexApplier& applier, std::uint64_t position,
                              WriteBatch& batch) {
  const std::lock_guard lock(mutex_);
  return begin_trim(&applier, &applier, position, batch);
}

void ChangeLog::finish_trim(const void* trimmer, bool is_committed) {
  const std::lock_guard lock(mutex_);
  if (trimmer_ != trimmer) return;
  trimmer_ = nullptr;
  if (is_committed) trimmed_ = trim_end_;
}

void ChangeLog::trim() {
  if (tree_ == nullptr) return;
  const std::lock_guard trimming(trim_mutex_);
  for (bool is_full = true; is_full;) {
    WriteBatch batch;
    {
      const std::lock_guard lock(mutex_);
      begin_trim(this, nullptr, std::numeric_limits<std::uint64_t>::max(), batch);
    }
    if (batch.empty()) return;
    bool is_committed = false;
    const auto finish = absl::MakeCleanup([&] { finish_trim(this, is_committed); });
    engine_.commit(batch);
    is_committed = true;
    is_full = batch.size() == kMostRemoved;
  }
}

void ChangeLog::allow_positions() {
  if (tree_ == nullptr || keeps_positions() || !wants_positions_.load()) return;
  engine_.require_format(StoreFormat::kOfPositions);
  keeps_positions_.store(true, std::memory_order_relaxed);
}

void ChangeAppends::draw(WriteBatch& batch) {
  if (changes_.empty() || !log_.is_durable()) return;
  std::string record;
  begin_change_record(record);
  for (const Append& append : changes_) append_to_change_record(record, append.pending.change);
  sequence_ = log_.draw();
  log_.append(sequence_, std::move(record), batch);
}

// If this throws for lack of memory, the number stays in progress, so the record is kept until the
// next start.
void ChangeAppends::push(Clock::TimePoint made) {
  const std::uint64_t sequence = std::exchange(sequence_, 0);
  for (Append& append : changes_) {
    append.pending.sequence = sequence;
    append.pending.made = made;
    append.applier->push(std::move(append.pending));
  }
  changes_.clear();
  if (sequence != 0) log_.finish(sequence);
}

void ChangeAppends::finish() {
  if (sequence_ != 0) log_.finish(std::exchange(sequence_, 0));
}

}  // namespace magneto::storage
