#include "storage/engine/key_locks.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

namespace magneto::storage {

// A new store uses few stripes. Memory that the system has zeroed needs no page for the others.
KeyLocks::KeyLocks(std::size_t stripes)
    : last_(stripes - 1), stripes_(static_cast<Stripe*>(std::calloc(stripes, sizeof(Stripe)))) {
  if (stripes_ == nullptr) throw std::bad_alloc();
}

std::uint16_t KeyLocks::stripe_of(std::string_view key) const {
  return static_cast<std::uint16_t>(absl::HashOf(absl::string_view(key.data(), key.size())) &
                                    last_);
}

KeyLocks::Holder& KeyLocks::Holder::operator=(Holder&& other) noexcept {
  if (this != &other) {
    release();
    locks_ = std::exchange(other.locks_, nullptr);
    stripes_ = std::move(other.stripes_);
  }
  return *this;
}

void KeyLocks::Holder::release() {
  if (locks_ == nullptr) return;
  for (const std::uint16_t stripe : stripes_) locks_->stripes_[stripe].unlock();
  stripes_.clear();
  locks_ = nullptr;
}

KeyLocks::Holder KeyLocks::lock(std::span<const std::string_view> keys) {
  absl::InlinedVector<std::uint16_t, 4> wanted;
  for (const std::string_view key : keys) wanted.push_back(stripe_of(key));
  if (keys.size() > 1) {
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  }
  while (true) {
    Holder holder = lock_stripes(wanted);
    if (!is_paused_.load()) [[likely]]
      return holder;
    holder.release();
    wait_for_pause();
  }
}

KeyLocks::Holder KeyLocks::lock_stripes(std::span<const std::uint16_t> wanted) {
  Holder holder;
  holder.locks_ = this;
  holder.stripes_.reserve(wanted.size());
  for (const std::uint16_t stripe : wanted) {
    if (!stripes_[stripe].try_lock()) Effort::take(stripes_[stripe]);
    holder.stripes_.push_back(stripe);
  }
  return holder;
}

void KeyLocks::wait_for_holders() {
  for (std::size_t i = 0; i <= last_; ++i) {
    stripes_[i].lock();
    stripes_[i].unlock();
  }
}

void KeyLocks::pause() {
  pausing_.lock();
  is_paused_.store(true);
  for (std::size_t i = 0; i <= last_; ++i) {
    if (!stripes_[i].is_held()) continue;
    stripes_[i].lock();
    stripes_[i].unlock();
  }
}

void KeyLocks::resume() {
  is_paused_.store(false);
  is_paused_.notify_all();
  pausing_.unlock();
}

void KeyLocks::wait_for_pause() const {
  Effort::before_waiting();
  is_paused_.wait(true);
}

}  // namespace magneto::storage
