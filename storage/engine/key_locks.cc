#include "storage/engine/key_locks.h"

#include <algorithm>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

namespace magneto::storage {

namespace {

std::uint16_t stripe_of(std::string_view key) {
  return static_cast<std::uint16_t>(absl::HashOf(absl::string_view(key.data(), key.size())) %
                                    KeyLocks::kStripes);
}

}  // namespace

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
  for (Stripe& stripe : stripes_) {
    stripe.lock();
    stripe.unlock();
  }
}

}  // namespace magneto::storage
