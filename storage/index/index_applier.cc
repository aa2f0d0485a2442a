#include "storage/index/index_applier.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "storage/index/change_log.h"
#include "storage/model/effort.h"

namespace magneto::storage {
namespace {

constexpr std::uint64_t kBytesOfAChunk = 4 << 20;

}  // namespace

IndexApplier::IndexApplier(Parts parts)
    : engine_(parts.engine),
      log_(parts.log),
      store_(std::move(parts.store)),
      statistics_(std::move(parts.statistics)),
      dropped_(std::move(parts.dropped)) {}

void IndexApplier::push(PendingChange pending) {
  const std::size_t bytes = pending.bytes();
  const std::uint64_t sequence = pending.sequence == 0 ? kNone : pending.sequence;
  const std::lock_guard lock(queue_mutex_);
  if (waiting_.empty()) waiting_since_ = std::chrono::steady_clock::now();
  waiting_.push_back(std::move(pending));
  log_.record_pushed(bytes);
  waiting_oldest_ = std::min(waiting_oldest_, sequence);
  oldest_.store(std::min(oldest_.load(std::memory_order_relaxed), sequence),
                std::memory_order_release);
  pushed_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  pushed_.fetch_add(1, std::memory_order_release);
  if (is_busy_) return;
  log_.add_busy(shared_from_this());
  is_busy_ = true;
}

// All taken changes are applied before more are taken, so changes in the queue are younger.
std::chrono::nanoseconds IndexApplier::behind() const {
  const std::lock_guard lock(queue_mutex_);
  const std::uint64_t waiting = pushed() - applied();
  if (waiting == 0) return {};
  return std::chrono::steady_clock::now() -
         (waiting > waiting_.size() ? taken_since_ : waiting_since_);
}

void IndexApplier::settle() {
  const std::uint64_t target = pushed();
  if (applied() >= target) return;
  if (engine_.commit_waits() || store_->may_wait() || is_much_waiting(target)) {
    Effort::before_waiting();
  }
  readers_.fetch_add(1, std::memory_order_relaxed);
  const auto leave =
      absl::MakeCleanup([this] { readers_.fetch_sub(1, std::memory_order_relaxed); });
  Effort::take(mutex_);
  const std::lock_guard lock(mutex_, std::adopt_lock);
  while (applied_.load(std::memory_order_relaxed) < target) apply_chunk(std::nullopt);
}

// An estimate: other threads push and apply meanwhile.
bool IndexApplier::is_much_waiting(std::uint64_t target) const {
  const auto changes = static_cast<std::int64_t>(target - applied());
  const auto bytes = static_cast<std::int64_t>(pushed_bytes_.load() - applied_bytes_.load());
  return changes > std::int64_t{kChangesOfAChunk} || bytes > std::int64_t{kBytesOfAChunk};
}

bool IndexApplier::apply_some(std::optional<Clock::TimePoint> made_before, std::size_t most) {
  const std::lock_guard lock(mutex_);
  return apply_chunk(made_before, most);
}

std::unique_lock<std::mutex> IndexApplier::hold() {
  std::unique_lock lock(mutex_);
  if (staged_ != 0) apply_chunk(std::nullopt);
  return lock;
}

std::vector<PendingChange> IndexApplier::waiting() const {
  std::vector<PendingChange> changes(taken_.begin() + static_cast<std::ptrdiff_t>(next_),
                                     taken_.end());
  const std::lock_guard lock(queue_mutex_);
  changes.insert(changes.end(), waiting_.begin(), waiting_.end());
  return changes;
}

std::optional<Clock::TimePoint> IndexApplier::first_made() const {
  const std::lock_guard lock(mutex_);
  if (next_ != taken_.size()) return taken_[next_].made;
  const std::lock_guard queue_lock(queue_mutex_);
  if (waiting_.empty()) return std::nullopt;
  return waiting_.front().made;
}

void IndexApplier::limit_made(Clock::TimePoint latest) {
  const std::lock_guard lock(mutex_);
  const std::lock_guard queue_lock(queue_mutex_);
  for (Changes* changes : {&taken_, &waiting_}) {
    for (PendingChange& one : *changes) one.made = std::min(one.made, latest);
  }
}

void IndexApplier::wait_for_dropped() {
  const std::lock_guard lock(mutex_);
  if (staged_ != 0) apply_chunk(std::nullopt);
}

bool IndexApplier::apply_chunk(std::optional<Clock::TimePoint> made_before, std::size_t most) {
  if (staged_ == 0) {
    if (next_ == taken_.size()) take();
    const auto first = taken_.begin() + static_cast<std::ptrdiff_t>(next_);
    auto last = first;
    std::uint64_t bytes = 0;
    while (last != taken_.end() && last - first < static_cast<std::ptrdiff_t>(most) &&
           bytes < kBytesOfAChunk && !(made_before && last->made > *made_before)) {
      bytes += last++->bytes();
    }
    if (first == last) return false;
    stage(first, last);
  }
  if (!batch_.empty()) engine_.commit(batch_);
  finish_chunk();
  return true;
}

void IndexApplier::take() {
  taken_.clear();
  next_ = 0;
  visible_end_ =
      // read first: all lower numbers are in the queue by now
      log_.is_durable() ? log_.visible_end() : 0;
  {
    const std::lock_guard lock(queue_mutex_);
    oldest_from_.assign(waiting_.size() + 1, kNone);  // may throw: nothing is taken yet
    taken_.swap(waiting_);
    taken_since_ = waiting_since_;
    waiting_oldest_ = kNone;
  }
  for (std::size_t i = taken_.size(); i-- > 0;) {
    const std::uint64_t sequence = taken_[i].sequence == 0 ? kNone : taken_[i].sequence;
    oldest_from_[i] = std::min(sequence, oldest_from_[i + 1]);
  }
}

void IndexApplier::stage(Changes::iterator first, Changes::iterator last) {
  const bool look_up = std::any_of(first, last, [](const auto& one) { return one.look_up; });
  const bool is_dropped = dropped_->load();
  counted_sizes_.clear();
  items_ = bytes_ = 0;
  staged_bytes_ = 0;
  for (auto one = first; one != last && !is_dropped; ++one) {
    count(one->change, look_up);  // may throw: nothing is moved yet
  }
  bool has_records = false;
  for (auto one = first; one != last; ++one) {
    staged_bytes_ += one->bytes();
    has_records = has_records || one->sequence != 0;
    if (!is_dropped) store_->apply(std::move(one->change), batch_);
  }
  staged_ = static_cast<std::size_t>(last - first);
  if (!has_records) return;
  const std::uint64_t position = std::min(visible_end_, oldest_from_[next_ + staged_]);
  const std::uint64_t kept_from = log_.trim(*this, position, batch_);
  if (kept_from < position && log_.keeps_positions() && !is_dropped) {
    if (batch_.frees_space()) batch_.set_frees_space();
    store_->set_applied_through(position, batch_);
  }
}

// If one change of a chunk must be looked up, all of them are, since they may concern the same
// entry.
void IndexApplier::count(const EntryChange& change, bool look_up) {
  const bool puts = !change.put_key.empty();
  if (!look_up) {
    items_ += (puts ? 1 : 0) - (change.old_size != 0 ? 1 : 0);
    bytes_ += std::int64_t{change.new_size} - std::int64_t{change.old_size};
    return;
  }
  items_ += puts ? 1 : 0;
  bytes_ += change.new_size;
  for (const std::string* key : {&change.delete_key, &change.put_key}) {
    if (key->empty()) continue;
    const auto counted = counted_sizes_.find(*key);
    const std::uint32_t size =
        counted != counted_sizes_.end() ? counted->second : store_->entry_size(*key);
    items_ -= size != 0 ? 1 : 0;
    bytes_ -= size;
    counted_sizes_.insert_or_assign(*key, key == &change.put_key ? change.new_size : 0);
  }
}

void IndexApplier::finish_chunk() {
  store_->committed();
  log_.finish_trim(this, true);
  statistics_->add(items_, bytes_);
  batch_.clear();
  next_ += staged_;
  log_.record_applied(staged_, staged_bytes_);
  applied_bytes_.fetch_add(staged_bytes_, std::memory_order_relaxed);
  {
    const std::lock_guard lock(queue_mutex_);
    oldest_.store(std::min(waiting_oldest_, oldest_from_[next_]), std::memory_order_release);
    if (waiting_.empty() && next_ == taken_.size()) {
      is_busy_ = false;
      log_.remove_busy(*this);
    }
  }
  applied_.fetch_add(std::exchange(staged_, 0), std::memory_order_release);
}

}  // namespace magneto::storage
