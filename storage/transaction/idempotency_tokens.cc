#include "storage/transaction/idempotency_tokens.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/messages/record_messages.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kForgottenWithOne = 16;  // expired tokens, with each new one
constexpr std::size_t kForgottenAtOnce = 1'000;

constexpr std::size_t kKeySize = kTransactionPrefix.size() + sizeof(std::uint64_t) + sizeof(Digest);
constexpr std::size_t kFixedSizeOfFormat2 = 16;  // hash:8 expiry:8

// A time point cannot hold milliseconds since the epoch from this value on.
constexpr auto kNoTime =
    static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                   Clock::TimePoint::max().time_since_epoch())
                                   .count());

constexpr auto kLifetime = static_cast<std::uint64_t>(
    std::chrono::duration_cast<std::chrono::milliseconds>(kTokenLifetime).count());

Clock::TimePoint time_point(std::uint64_t milliseconds) {
  return Clock::TimePoint(std::chrono::milliseconds(milliseconds));
}

[[noreturn]] void fail_damaged() { throw EngineError(messages::kDamagedClientToken); }

Digest read_digest(std::string_view bytes) {
  Digest digest;
  std::copy_n(bytes.begin(), digest.size(), digest.begin());
  return digest;
}

}  // namespace

IdempotencyTokens::IdempotencyTokens(Engine& engine, const Clock& clock, std::size_t memory)
    : engine_(engine),
      clock_(clock),
      memory_(memory),
      tree_(engine.open_tree(ColumnFamily::kSystem, std::string(kTransactionPrefix))) {}

IdempotencyTokens::Milliseconds IdempotencyTokens::now() const {
  Clock::TimePoint latest = Clock::kFirst;
  if (last_expiry_ != 0) latest = time_point(last_expiry_) - kTokenLifetime;
  return static_cast<Milliseconds>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                       time_.at(clock_.now(), latest).time_since_epoch())
                                       .count());
}

std::optional<Clock::TimePoint> IdempotencyTokens::next_expiry() const {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return std::nullopt;
  now();  // updates the lead
  return time_point(entries_.front().expiry) - time_.lead();
}

std::size_t IdempotencyTokens::size_of(const RememberedToken& entry) {
  // Besides the entry, its share of the nodes of deque and tree, which are at least half full.
  constexpr std::size_t kShare = 40;
  const std::size_t apart = entry.receipt.capacity() > RememberedToken::Receipt().capacity()
                                ? entry.receipt.capacity() + sizeof(void*)
                                : 0;
  return sizeof(RememberedToken) + kShare + apart;
}

void IdempotencyTokens::remember(RememberedToken entry) {
  memory_used_ += size_of(entry);
  last_expiry_ = entry.expiry;
  index_.emplace(head_of(entry.token), entries_.end());
  entries_.push_back(std::move(entry));
}

std::optional<IdempotencyTokens::Found> IdempotencyTokens::find(const Digest& token) const {
  const std::uint64_t head = head_of(token);
  const Milliseconds time = now();
  for (auto it = index_.lower_bound({head, 0}); it != index_.end() && it->first == head; ++it) {
    const RememberedToken& entry = entries_.at(it->second);
    if (entry.token != token || entry.expiry <= time) continue;
    const auto hash = hashes_of_format_2_.find(it->second);
    if (hash == hashes_of_format_2_.end()) return Found{&entry, std::nullopt};
    return Found{&entry, hash->second};
  }
  return find_before(token, time);
}

std::optional<IdempotencyTokens::Found> IdempotencyTokens::find_before(const Digest& token,
                                                                       Milliseconds time) const {
  for (const TokensSnapshot* from = before_.get(); from != nullptr; from = from->before.get()) {
    const std::optional<std::uint64_t> number = from->log->find(token);
    if (!number || from->log->at(*number).expiry <= time) continue;
    const auto hash = from->hashes_of_format_2.find(*number);
    if (hash == from->hashes_of_format_2.end()) return Found{&from->log->at(*number), std::nullopt};
    return Found{&from->log->at(*number), hash->second};
  }
  return std::nullopt;
}

std::shared_ptr<const TokensSnapshot> IdempotencyTokens::snapshot() const {
  const std::lock_guard lock(mutex_);
  if (entries_.end() == 0 && before_ != nullptr) return before_;
  return std::make_shared<const TokensSnapshot>(
      TokensSnapshot{entries_.snapshot(), hashes_of_format_2_, before_, last_expiry_, time_});
}

bool IdempotencyTokens::are_still(const TokensSnapshot& snapshot) const {
  const std::lock_guard lock(mutex_);
  if (before_.get() == &snapshot) return entries_.end() == 0;
  return snapshot.before == before_ && snapshot.log->end() == entries_.end();
}

void IdempotencyTokens::fork_from(std::shared_ptr<const TokensSnapshot> snapshot, bool merges) {
  const std::lock_guard lock(mutex_);
  time_ = snapshot->time;
  if (merges) merge(*snapshot);
  last_expiry_ = snapshot->last_expiry;
  if (!merges) before_ = std::move(snapshot);
}

// Copies the tokens that have not expired, oldest first.
void IdempotencyTokens::merge(const TokensSnapshot& snapshot) {
  if (snapshot.before != nullptr) merge(*snapshot.before);
  last_expiry_ = snapshot.last_expiry;
  const Milliseconds time = now();
  for (std::uint64_t number = snapshot.log->first(); number < snapshot.log->end(); ++number) {
    const RememberedToken& token = snapshot.log->at(number);
    if (token.expiry <= time) continue;
    const auto hash = snapshot.hashes_of_format_2.find(number);
    if (hash != snapshot.hashes_of_format_2.end()) {
      hashes_of_format_2_.emplace(entries_.end(), hash->second);
    }
    remember(token);
  }
}

std::size_t IdempotencyTokens::forget_expired(WriteBatch& batch, std::size_t limit,
                                              Milliseconds time) {
  std::size_t forgotten = 0;
  for (; forgotten < limit && !entries_.empty() && entries_.front().expiry <= time; ++forgotten) {
    const RememberedToken& entry = entries_.front();
    if (hashes_of_format_2_.erase(entries_.first()) == 0 && engine_.is_durable()) {
      batch.remove(tree_, transaction_key(entry.expiry, entry.token));
    }
    index_.erase({head_of(entry.token), entries_.first()});
    memory_used_ -= size_of(entry);
    entries_.pop_front();
  }
  return forgotten;
}

void IdempotencyTokens::load() {
  const std::lock_guard lock(mutex_);
  load_format_2();
  const auto cursor = engine_.scan(*tree_, {}, {}, Direction::kForward);
  while (cursor->next()) {
    const std::string_view record = cursor->value();
    if (cursor->key().size() != kKeySize || record.size() < sizeof(Digest)) fail_damaged();
    const std::string_view key = cursor->key().substr(kTransactionPrefix.size());
    const Milliseconds expiry = read_uint64(key);
    if (expiry >= kNoTime) fail_damaged();
    const std::string_view receipt = record.substr(sizeof(Digest));
    remember({read_digest(key.substr(sizeof(expiry))),
              read_digest(record),
              expiry,
              {receipt.begin(), receipt.end()}});
  }
}

// Format 2 stored tokens in clear text, distinguished requests by a hash of their text, and had
// receipts that begin with a zero. Such records stay unchanged until a start finds them expired.
void IdempotencyTokens::load_format_2() {
  const TreePtr tree = engine_.open_tree(ColumnFamily::kSystem, std::string(kTokenPrefixOfFormat2));
  const Milliseconds time = now();
  std::vector<std::pair<std::uint64_t, RememberedToken>> found;
  WriteBatch expired;
  const auto cursor = engine_.scan(*tree, {}, {}, Direction::kForward);
  while (cursor->next()) {
    const std::string_view record = cursor->value();
    if (record.size() < kFixedSizeOfFormat2) fail_damaged();
    const Milliseconds expiry = read_uint64(record.substr(sizeof(std::uint64_t)));
    if (expiry >= kNoTime) fail_damaged();
    if (expiry <= time) {
      expired.remove(tree, std::string(cursor->key()));
      continue;
    }
    const Digest token = digest_of(cursor->key().substr(kTokenPrefixOfFormat2.size()));
    const std::string_view receipt = record.substr(kFixedSizeOfFormat2);
    RememberedToken entry{token, {}, expiry, {receipt.begin(), receipt.end()}};
    found.emplace_back(read_uint64(record), std::move(entry));
  }
  std::ranges::sort(found, {}, [](const auto& one) { return one.second.expiry; });
  for (auto& [hash, entry] : found) {
    hashes_of_format_2_.emplace(entries_.end(), hash);
    remember(std::move(entry));
  }
  if (!expired.empty()) engine_.commit(expired);
}

IdempotencyTokens::Answer IdempotencyTokens::begin(const Digest& token,
                                                   const TokenContent& content) {
  for (const TokensSnapshot* from = before_.get(); from != nullptr; from = from->before.get()) {
    from->log->prepare();
  }
  const std::lock_guard lock(mutex_);
  if (const auto running = started_.find(token); running != started_.end()) {
    return {running->second.content == content.digest ? State::kInProgress : State::kMismatch, {}};
  }
  if (const std::optional<Found> found = find(token)) {
    const bool is_same = found->hash_of_format_2
                             ? *found->hash_of_format_2 == content.hash_of_format_2()
                             : found->token->content == content.digest;
    if (!is_same) return {State::kMismatch, {}};
    const auto& receipt = found->token->receipt;
    return {State::kRepeated, std::string(receipt.begin(), receipt.end())};
  }
  // Each new token frees room for itself and more if there are expired ones.
  const bool is_full =
      memory_used_ >= memory_ && (entries_.empty() || entries_.front().expiry > now());
  if (is_full) return {State::kFull, {}};
  started_.emplace(token, Started{content.digest});
  return {State::kNew, {}};
}

void IdempotencyTokens::append_record(WriteBatch& batch, const Digest& token,
                                      std::string_view receipt) {
  const std::lock_guard lock(mutex_);
  forget_expired(batch, kForgottenWithOne, now());
  Started& started = started_.at(token);
  started.expiry = now() + kLifetime;
  if (!engine_.is_durable()) return;
  std::string record(bytes_of(started.content));
  record += receipt;
  batch.put(tree_, transaction_key(started.expiry, token), std::move(record));
}

void IdempotencyTokens::finish(const Digest& token, std::string_view receipt) {
  const std::lock_guard lock(mutex_);
  const auto started = started_.find(token);
  RememberedToken::Receipt kept;
  kept.reserve(receipt.size());
  kept.assign(receipt.begin(), receipt.end());
  remember({token, started->second.content, started->second.expiry, std::move(kept)});
  started_.erase(started);
  if (entries_.size() == 1 && on_first_) on_first_();
}

void IdempotencyTokens::abandon(const Digest& token) {
  const std::lock_guard lock(mutex_);
  started_.erase(token);
}

void IdempotencyTokens::sweep() {
  for (std::size_t forgotten = kForgottenAtOnce; forgotten == kForgottenAtOnce;) {
    WriteBatch batch;
    {
      const std::lock_guard lock(mutex_);
      forgotten = forget_expired(batch, kForgottenAtOnce, now());
    }
    if (!batch.empty()) engine_.commit(batch);
  }
}

void IdempotencyTokens::forget_all() {
  for (std::size_t forgotten = kForgottenAtOnce; forgotten == kForgottenAtOnce;) {
    WriteBatch batch;
    {
      const std::lock_guard lock(mutex_);
      before_ = nullptr;
      forgotten = forget_expired(batch, kForgottenAtOnce, std::numeric_limits<Milliseconds>::max());
    }
    if (!batch.empty()) engine_.commit(batch);
  }
}

std::size_t IdempotencyTokens::memory_used() const {
  const std::lock_guard lock(mutex_);
  return memory_used_;
}

}  // namespace magneto::storage
