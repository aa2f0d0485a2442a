#include "storage/background/ttl_sweeper.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/encoding/keyspace.h"
#include "storage/messages/background_messages.h"
#include "storage/model/expiry.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kItemsOfASweep = 32;
// For a worker's turn: about two milliseconds of work.
constexpr std::size_t kItemsOfATurn = 256;
// The pause before further deletions if the indexes cannot follow.
constexpr std::chrono::milliseconds kRestOfFullLog{100};

// Decides on an item whose entry in the queue has expired. The clock may have been set back since
// the entry was found.
class DeleteExpired {
 public:
  DeleteExpired(const TtlSweeper& sweeper, const ExpiryQueue& queue, std::string_view entry)
      : sweeper_(&sweeper), queue_(&queue), expiry_(expiry_in(entry)) {}

  WriteDecision operator()(const StoredItem& current) const {
    if (queue_->dropped->load()) return WriteDecision::reject();
    is_due_ = sweeper_->is_due(expiry_);
    const bool expired =
        is_due_ && current && expiry_of(current.view(), queue_->attribute) == expiry_;
    return expired ? WriteDecision::remove() : WriteDecision::keep();
  }

  // According to the last decision.
  bool is_due() const { return is_due_; }
  std::int64_t expiry() const { return expiry_; }

 private:
  const TtlSweeper* sweeper_;
  const ExpiryQueue* queue_;
  std::int64_t expiry_;
  mutable bool is_due_ = false;
};

}  // namespace

TtlSweeper::TtlSweeper(const Parts& parts, std::chrono::milliseconds delay, ReportWarning report,
                       Worker* worker)
    : parts_(parts), first_delay_(delay), delay_(delay) {
  if (worker != nullptr) {
    task_.emplace(*worker, [this](const std::stop_token& stop) { take_turn(stop); });
    parts_.timer.on_earlier([this] { task_->due_now(); });
    return;
  }
  thread_.emplace(std::string(messages::kTimeToLive), std::move(report),
                  [this](const std::stop_token& stop) {
                    parts_.timer.wait(
                        parts_.clock, [this] { return this->delay(); }, stop);
                    const bool is_done = stop.stop_requested() || sweep(stop);
                    return is_done ? std::chrono::milliseconds(0) : kRestOfFullLog;
                  });
}

// Everything that a turn of the clock uses exists by now. An earlier turn is made up for by
// checking the queues once.
void TtlSweeper::start() {
  watch_.emplace(parts_.clock, [this](Clock::TimePoint before) { clock_turned(before); });
  if (thread_) thread_->start();
  if (!task_) return;
  parts_.timer.note(0);
  task_->due_now();
}

void TtlSweeper::stop() {
  if (thread_) thread_->stop();
}

void TtlSweeper::set_delay(std::optional<std::chrono::milliseconds> delay) {
  delay_.store(delay.value_or(first_delay_));
  parts_.timer.look_again();
  if (task_) task_->due_now();
}

bool TtlSweeper::is_due(std::int64_t expiry) const {
  return expiry < expired_before(parts_.clock.now(), delay());
}

void TtlSweeper::clock_turned(Clock::TimePoint before) {
  {
    const std::lock_guard lock(turned_mutex_);
    if (is_sweeping_ || is_due(parts_.timer.expiry())) {
      turned_at_ = std::min(before, turned_at_.value_or(before));
    } else {
      turned_at_.reset();  // all expired items are deleted
    }
  }
  parts_.timer.look_again();
  if (task_ && parts_.timer.expiry() != kNever) task_->due_now();
}

// Runs as a worker's recurring task: deletes some items. It is due again at once if there are more,
// otherwise at the next expiry.
void TtlSweeper::take_turn(const std::stop_token& stop) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;  // sweep() makes it due again when it ends
  if (is_due(parts_.timer.expiry())) {
    Search search{.stop = stop, .items_left = kItemsOfATurn, .now_then = {}};
    if (!sweep_some(search)) {
      return task_->due_after(parts_.changes.over_limit() ? kRestOfFullLog
                                                          : std::chrono::milliseconds(0));
    }
  }
  const auto next = expired_at(parts_.timer.expiry(), delay());
  if (next) task_->due_by(parts_.clock, *next);
}

bool TtlSweeper::sweep(const std::stop_token& stop) {
  const auto look_again = absl::MakeCleanup([this] {
    if (task_) task_->due_now();
  });
  const std::lock_guard lock(mutex_);
  Search search{
      .stop = stop, .items_left = std::numeric_limits<std::size_t>::max(), .now_then = {}};
  return sweep_some(search);
}

// False if there is more to delete. Requires mutex_.
bool TtlSweeper::sweep_some(Search& search) {
  search.now_then = parts_.clock.now_told();
  std::optional<Clock::TimePoint> turned_at;
  {
    const std::lock_guard turned(turned_mutex_);
    turned_at.swap(turned_at_);
    is_sweeping_ = true;
    parts_.timer.clear();
  }
  if (turned_at) search.now_then = std::min(search.now_then, *turned_at);
  std::int64_t first = 0;  // after a failure the thread must look again
  bool is_done = false;
  const auto set_timer = absl::MakeCleanup([&] {
    const std::lock_guard turned(turned_mutex_);
    is_sweeping_ = false;
    const bool was_turned = turned_at_.has_value();  // meanwhile: another sweep looks back as far
    if (!is_done && turned_at) turned_at_ = std::min(*turned_at, turned_at_.value_or(*turned_at));
    parts_.timer.set(was_turned ? 0 : first);
  });
  const std::int64_t found = sweep_tables(search);
  is_done = search.is_whole;
  if (is_done) first = found;
  return is_done;
}

std::int64_t TtlSweeper::sweep_tables(Search& search) {
  std::int64_t first = kNever;
  if (!parts_.catalog.leads()) return first;
  for (const TablePtr& table : parts_.catalog.tables()) {
    if (table->schema.time_to_live.status != TimeToLiveStatus::kEnabled) continue;
    const bool is_sent = table->replication != nullptr && !table->replication->expires_here;
    if (is_sent) continue;  // the region that deletes expired items sends the deletions
    if (parts_.replicas.is_behind(*table)) continue;
    first = std::min(first, sweep_table(table, search));
    if (!search.is_whole) break;
  }
  return first;
}

// Whether more may be deleted now; called between two chunks.
bool TtlSweeper::goes_on(Search& search) {
  search.items_left -= std::min(search.items_left, kItemsOfASweep);
  search.is_whole = search.items_left != 0 && !search.stop.stop_requested();
  if (!search.is_whole || !parts_.changes.over_limit()) return search.is_whole;
  search.is_whole = false;  // the indexes go first
  if (task_) parts_.replicator.lag_turned();
  return false;
}

// Returns the first expiry that has not come yet.
std::int64_t TtlSweeper::sweep_table(const TablePtr& table, Search& search) {
  const Tree& tree = *table->expiry->tree;
  const std::int64_t begin = expired_before(search.now_then - kExpiryWindow, {});
  const std::string oldest = expiry_bound(tree.prefix(), std::max<std::int64_t>(begin, 0));
  const auto cursor = parts_.engine.scan(tree, oldest, {}, Direction::kForward);
  std::vector<std::string> expired;
  while (cursor->next()) {
    const std::int64_t expiry = expiry_in(cursor->key());
    if (!is_due(expiry)) return std::min(remove(table, expired), expiry);
    expired.emplace_back(cursor->key());
    if (expired.size() < kItemsOfASweep) continue;
    const std::int64_t left = remove(table, expired);
    if (left != kNever || !goes_on(search)) return left;
    expired.clear();
  }
  return remove(table, expired);
}

// Deletes the items of these entries, unless the queue is dropped. Returns the first expiry that is
// no longer due; kNever: none. Waits for transactions that hold an item.
std::int64_t TtlSweeper::remove(const TablePtr& table, const std::vector<std::string>& entries) {
  if (entries.empty()) return kNever;
  const ExpiryQueue& queue = *table->expiry;
  std::vector<DeleteExpired> decisions;
  decisions.reserve(entries.size());
  std::vector<ItemWrite> writes;
  for (const std::string& entry : entries) {
    decisions.emplace_back(*this, queue, entry);
    writes.push_back({table, item_key_in(entry), decisions.back(), true});
  }
  // Also removes an entry without an item, or whose item expires at another time.
  const auto forget = [&](std::span<const WriteOutcome>, WriteBatch& batch) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (decisions[i].is_due()) batch.remove(queue.tree, entries[i]);
    }
  };
  try {
    parts_.writer.write_all(writes, forget);
  } catch (const TableGone&) {
    return kNever;
  }
  const auto left = std::ranges::find_if_not(decisions, &DeleteExpired::is_due);
  const bool is_dropped = queue.dropped->load();
  return left == decisions.end() || is_dropped ? kNever : left->expiry();
}

}  // namespace magneto::storage
