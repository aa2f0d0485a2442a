#include "storage/transaction/idempotency_tokens.h"

#include <algorithm>
#include <vector>

#include "storage/encoding/keyspace.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kFixedSize = 16;  // digest:8 expiry:8

// Milliseconds since the epoch from which on a time point cannot hold them.
constexpr auto kNoTime =
    static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                   Clock::TimePoint::max().time_since_epoch())
                                   .count());

std::uint64_t milliseconds(Clock::TimePoint time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

}  // namespace

IdempotencyTokens::IdempotencyTokens(Engine& engine, const Clock& clock)
    : engine_(engine),
      clock_(clock),
      tree_(engine.open_tree(Family::kSystem, std::string(kTokenPrefix))) {}

void IdempotencyTokens::load() {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<TimePoint, std::string>> found;
  const auto cursor = engine_.scan(*tree_, {}, {}, Direction::kForward);
  while (cursor->next()) {
    const std::string_view record = cursor->value();
    const std::uint64_t expires =
        record.size() < kFixedSize ? kNoTime : read_uint64(record.substr(8));
    if (expires >= kNoTime) {
      throw EngineError("the record of a transaction's client token is damaged");
    }
    std::string token(cursor->key().substr(kTokenPrefix.size()));
    const TimePoint expiry{std::chrono::milliseconds(expires)};
    entries_[token] = {read_uint64(record), expiry, std::string(record.substr(kFixedSize)), false};
    found.emplace_back(expiry, std::move(token));
  }
  std::ranges::sort(found);
  by_expiry_.assign(std::move_iterator(found.begin()), std::move_iterator(found.end()));
}

void IdempotencyTokens::forget_expired() {
  const TimePoint now = clock_.now();
  while (!by_expiry_.empty() && by_expiry_.front().first <= now) {
    std::string token = std::move(by_expiry_.front().second);
    by_expiry_.pop_front();
    entries_.erase(std::string(token));
    if (engine_.is_durable()) expired_records_.push_back(std::move(token));
  }
}

IdempotencyTokens::Answer IdempotencyTokens::begin(std::string_view token, std::uint64_t digest) {
  const std::lock_guard lock(mutex_);
  forget_expired();
  const auto [entry, inserted] =
      entries_.try_emplace(std::string(token), Entry{digest, {}, {}, true});
  if (inserted) return {State::kNew, {}};
  if (entry->second.digest != digest) return {State::kMismatch, {}};
  if (entry->second.in_progress) return {State::kInProgress, {}};
  return {State::kRepeated, entry->second.receipt};
}

void IdempotencyTokens::append_record(WriteBatch& batch, std::string_view token,
                                      std::uint64_t digest, std::string_view receipt) {
  if (!engine_.is_durable()) return;
  const std::lock_guard lock(mutex_);
  for (; !expired_records_.empty(); expired_records_.pop_front()) {
    // A token that came back after it expired has, or is about to get, a record again.
    if (entries_.contains(expired_records_.front())) continue;
    batch.remove(tree_, token_record_key(expired_records_.front()));
  }
  std::string record;
  append_uint64(record, digest);
  append_uint64(record, milliseconds(clock_.now() + kTokenLifetime));
  record += receipt;
  batch.put(tree_, token_record_key(token), std::move(record));
}

void IdempotencyTokens::finish(std::string_view token, std::string receipt) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[std::string(token)];
  entry.expiry = clock_.now() + kTokenLifetime;
  entry.receipt = std::move(receipt);
  entry.in_progress = false;
  by_expiry_.emplace_back(entry.expiry, std::string(token));
}

void IdempotencyTokens::abandon(std::string_view token) {
  const std::lock_guard lock(mutex_);
  entries_.erase(std::string(token));
}

}  // namespace magneto::storage
