#include "server/http/connection_memory_budget.h"

#include <algorithm>
#include <utility>

namespace magneto::server::http {
namespace {

constexpr std::int64_t kNone = -1;  // evict at once

}  // namespace

bool ConnectionMemoryBudget::ask(Part& part, std::size_t bytes, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (part.evicted_) return false;
  if (bytes > part.bytes_) {
    const std::size_t added = bytes - part.bytes_;
    evict_stalled(added, now, &part);
    // Memory of evicted parts is not free yet.
    if (!will_fit(added, limit_) || !fits(added, limit_ + limit_ / 2)) return false;
  }
  part.is_answer_ = false;
  change(part, bytes, now);
  return true;
}

void ConnectionMemoryBudget::demand(Part& part, std::size_t bytes, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (part.evicted_) return;
  if (bytes > part.bytes_) {
    const std::size_t added = bytes - part.bytes_;
    const std::size_t most = limit_ + limit_ / 4;
    evict_stalled(added, now, &part);
    evict_from(unmoved_, added, most, kNone, now, &part);
    evict_from(movers_, added, most, kNone, now, &part);
  }
  part.is_answer_ = true;
  change(part, bytes, now);
}

void ConnectionMemoryBudget::note(Part& part, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (part.evicted_) return;
  set_bytes(bytes_ - part.bytes_ + bytes);
  part.bytes_ = bytes;
}

void ConnectionMemoryBudget::moved(Part& part, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (part.list_ == nullptr) return;
  part.moved_at_ = now;
  unlink(part);
  append(part, movers_);
}

void ConnectionMemoryBudget::keep(Part& part) {
  const std::lock_guard lock(mutex_);
  unlink(part);
}

void ConnectionMemoryBudget::release(Part& part) {
  const std::lock_guard lock(mutex_);
  unlink(part);
  set_bytes(bytes_ - part.bytes_);
  if (part.evicted_) leaving_ -= part.bytes_;
  part.bytes_ = 0;
  part.evicted_ = false;
}

bool ConnectionMemoryBudget::has_room(std::int64_t now) {
  const std::lock_guard lock(mutex_);
  evict_stalled(1, now, nullptr);
  return fits(1, limit_);
}

bool ConnectionMemoryBudget::is_evicted(const Part& part) const {
  const std::lock_guard lock(mutex_);
  return part.evicted_;
}

void ConnectionMemoryBudget::drop_stalled(std::int64_t now) {
  const std::lock_guard lock(mutex_);
  evict_from(unmoved_, 0, limit_ / 2, kPace, now, nullptr);
  evict_from(movers_, 0, limit_ / 2, kPace, now, nullptr);
}

void ConnectionMemoryBudget::set_limit(std::size_t limit) {
  const std::lock_guard lock(mutex_);
  limit_ = limit;
  set_bytes(bytes_);
}

std::size_t ConnectionMemoryBudget::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t ConnectionMemoryBudget::take_peak() {
  const std::lock_guard lock(mutex_);
  return std::exchange(peak_, bytes_);
}

std::uint64_t ConnectionMemoryBudget::evicted() const {
  const std::lock_guard lock(mutex_);
  return all_evicted_;
}

std::size_t ConnectionMemoryBudget::limit() const {
  const std::lock_guard lock(mutex_);
  return limit_;
}

std::size_t ConnectionMemoryBudget::take_evicted() {
  const std::lock_guard lock(mutex_);
  return std::exchange(evicted_, 0);
}

void ConnectionMemoryBudget::set_bytes(std::size_t bytes) {
  bytes_ = bytes;
  peak_ = std::max(peak_, bytes);
  const bool crowded = bytes >= limit_ && bytes != 0;
  if (crowded != is_crowded()) crowded_.store(crowded, std::memory_order_relaxed);
}

void ConnectionMemoryBudget::change(Part& part, std::size_t bytes, std::int64_t now) {
  set_bytes(bytes_ - part.bytes_ + bytes);
  part.bytes_ = bytes;
  part.moved_at_ = now;
  List& list = part.list_ == nullptr ? unmoved_ : *part.list_;
  unlink(part);
  append(part, list);
}

void ConnectionMemoryBudget::append(Part& part, List& list) {
  part.list_ = &list;
  part.before_ = list.last;
  part.after_ = nullptr;
  (list.last == nullptr ? list.first : list.last->after_) = &part;
  list.last = &part;
}

void ConnectionMemoryBudget::unlink(Part& part) {
  if (part.list_ == nullptr) return;
  List& list = *std::exchange(part.list_, nullptr);
  (part.before_ == nullptr ? list.first : part.before_->after_) = part.after_;
  (part.after_ == nullptr ? list.last : part.after_->before_) = part.before_;
}

void ConnectionMemoryBudget::evict(Part& part) {
  unlink(part);
  part.evicted_ = true;
  leaving_ += part.bytes_;
  ++evicted_;
  ++all_evicted_;
  part.owner_.part_evicted();
}

// Evicts parts of the list that have not moved for longer than `patience`, until `added` bytes will
// fit. Never evicts `to`, the part that needs the bytes.
void ConnectionMemoryBudget::evict_from(List& list, std::size_t added, std::size_t limit,
                                        std::int64_t patience, std::int64_t now, const Part* to) {
  const Part* const last = list.last;
  for (Part* part = list.first; part != nullptr && !will_fit(added, limit);) {
    if (patience != kNone && part->moved_at_ >= now - patience) return;
    Part* const next = part == last ? nullptr : part->after_;
    if (part == to) {
      // Keep the part that needs the bytes.
    } else if (patience != kNone && part->owner_.has_moved(*part)) {
      part->moved_at_ = now;
      unlink(*part);
      append(*part, movers_);
    } else {
      evict(*part);
    }
    part = next;
  }
}

void ConnectionMemoryBudget::evict_stalled(std::size_t added, std::int64_t now, const Part* to) {
  evict_from(unmoved_, added, limit_, kPatience, now, to);
  evict_from(movers_, added, limit_, kPatienceWithMovers, now, to);
}

}  // namespace magneto::server::http
