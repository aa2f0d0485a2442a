#include "storage/table/stale_reads.h"

#include <stdexcept>

#include "storage/messages/read_messages.h"

namespace magneto::storage {

void StaleReads::set(const Settings& settings) {
  const bool is_likely = settings.probability >= 0 && settings.probability <= 1;
  if (!is_likely) throw std::invalid_argument(messages::kStaleProbability);
  if (settings.versions < 1 || settings.versions > kMaxVersions) {
    throw std::invalid_argument(messages::stale_versions(kMaxVersions));
  }
  std::deque<SnapshotPtr> ended;
  const std::lock_guard lock(mutex_);
  settings_ = settings;
  random_ = std::make_unique<std::mt19937_64>(settings.seed);
  ended.swap(states_);
  states_.push_back(engine_.snapshot());
  is_on_.store(true);
}

void StaleReads::turn_off() {
  std::deque<SnapshotPtr> ended;
  const std::lock_guard lock(mutex_);
  is_on_.store(false);
  settings_ = {};
  ended.swap(states_);
}

StaleReads::Settings StaleReads::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

std::size_t StaleReads::versions_behind() const {
  const std::lock_guard lock(mutex_);
  return states_.empty() ? 0 : states_.size() - 1;
}

std::size_t StaleReads::release(std::size_t commits) {
  std::deque<SnapshotPtr> ended;
  const std::lock_guard lock(mutex_);
  if (states_.empty()) return 0;
  for (; commits > 0 && states_.size() > 1; --commits) {
    ended.push_back(std::move(states_.front()));
    states_.pop_front();
  }
  return states_.size() - 1;
}

// Draws a number for each read, so that writes do not change the choices for later reads.
ReadView StaleReads::choose() {
  const std::lock_guard lock(mutex_);
  if (states_.empty()) return {};
  if (settings_.is_held) return ReadView(states_.front());
  const double chance = std::uniform_real_distribution<double>(0, 1)(*random_);
  const std::uint64_t place = (*random_)();
  const std::size_t before = states_.size() - 1;
  if (before == 0 || chance >= settings_.probability) return {};
  return ReadView(states_[place % before]);
}

void StaleReads::record_commit() {
  SnapshotPtr ended;
  const std::lock_guard lock(mutex_);
  if (states_.empty() || !engine_.changed_since(*states_.back())) return;
  states_.push_back(engine_.snapshot());
  if (states_.size() <= settings_.versions + 1) return;
  ended = std::move(states_.front());
  states_.pop_front();
}

}  // namespace magneto::storage
