#include "storage/transaction/idempotency_tokens.h"

#include <algorithm>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/messages/record_messages.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kForgottenWithOne = 16;  // expired tokens, with each new one
constexpr std::size_t kForgottenAtOnce = 1'000;

constexpr std::size_t kKeySize = kTransactionPrefix.size() + sizeof(std::uint64_t) + sizeof(Digest);
constexpr std::size_t kFixedSizeOfFormat2 = 16;  // hash:8 expiry:8

// Milliseconds since the epoch from which on a time point cannot hold them.
constexpr auto kNoTime =
    static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                   Clock::TimePoint::max().time_since_epoch())
                                   .count());

constexpr auto kLifetime = static_cast<std::uint64_t>(
    std::chrono::duration_cast<std::chrono::milliseconds>(kTokenLifetime).count());

[[noreturn]] void fail_damaged() { throw EngineError(messages::kDamagedClientToken); }

std::uint64_t head_of(const Digest& digest) { return read_uint64(bytes_of(digest)); }

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
  return static_cast<Milliseconds>(
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.now().time_since_epoch())
          .count());
}

std::size_t IdempotencyTokens::size_of(const Entry& entry) {
  // Beside the entry its share of the deque's and the tree's nodes, which are half full at worst.
  constexpr std::size_t kShare = 40;
  const std::size_t apart = entry.receipt.capacity() > Receipt().capacity()
                                ? entry.receipt.capacity() + sizeof(void*)
                                : 0;
  return sizeof(Entry) + kShare + apart;
}

void IdempotencyTokens::remember(Entry entry) {
  memory_used_ += size_of(entry);
  index_.emplace(head_of(entry.token), first_entry_ + entries_.size());
  entries_.push_back(std::move(entry));
}

std::optional<std::uint64_t> IdempotencyTokens::find(const Digest& token) const {
  const std::uint64_t head = head_of(token);
  const Milliseconds time = now();
  for (auto it = index_.lower_bound({head, 0}); it != index_.end() && it->first == head; ++it) {
    const Entry& entry = entries_[it->second - first_entry_];
    if (entry.token == token && entry.expiry > time) return it->second;
  }
  return std::nullopt;
}

bool IdempotencyTokens::is_same(std::uint64_t number, const TokenContent& content) const {
  const auto older = hashes_of_format_2_.find(number);
  if (older != hashes_of_format_2_.end()) return older->second == content.hash_of_format_2();
  return entries_[number - first_entry_].content == content.digest;
}

std::size_t IdempotencyTokens::forget_expired(WriteBatch& batch, std::size_t limit) {
  const Milliseconds time = now();
  std::size_t forgotten = 0;
  for (; forgotten < limit && !entries_.empty() && entries_.front().expiry <= time; ++forgotten) {
    const Entry& entry = entries_.front();
    if (hashes_of_format_2_.erase(first_entry_) == 0 && engine_.is_durable()) {
      batch.remove(tree_, transaction_key(entry.expiry, entry.token));
    }
    index_.erase({head_of(entry.token), first_entry_});
    memory_used_ -= size_of(entry);
    entries_.pop_front();
    ++first_entry_;
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
    remember({read_digest(key.substr(sizeof(expiry))), read_digest(record), expiry,
              Receipt(receipt.begin(), receipt.end())});
  }
}

// Format 2 kept tokens in clear, told requests apart by a hash of their text, and had receipts that
// begin with a zero. Such records stay as they are until a start finds them expired.
void IdempotencyTokens::load_format_2() {
  const TreePtr tree = engine_.open_tree(ColumnFamily::kSystem, std::string(kTokenPrefixOfFormat2));
  const Milliseconds time = now();
  std::vector<std::pair<std::uint64_t, Entry>> found;
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
    Entry entry{token, {}, expiry, Receipt(receipt.begin(), receipt.end())};
    found.emplace_back(read_uint64(record), std::move(entry));
  }
  std::ranges::sort(found, {}, [](const auto& one) { return one.second.expiry; });
  for (auto& [hash, entry] : found) {
    hashes_of_format_2_.emplace(first_entry_ + entries_.size(), hash);
    remember(std::move(entry));
  }
  if (!expired.empty()) engine_.commit(expired);
}

IdempotencyTokens::Answer IdempotencyTokens::begin(const Digest& token,
                                                   const TokenContent& content) {
  const std::lock_guard lock(mutex_);
  if (const auto running = started_.find(token); running != started_.end()) {
    return {running->second.content == content.digest ? State::kInProgress : State::kMismatch, {}};
  }
  if (const std::optional<std::uint64_t> number = find(token)) {
    if (!is_same(*number, content)) return {State::kMismatch, {}};
    const Receipt& receipt = entries_[*number - first_entry_].receipt;
    return {State::kRepeated, std::string(receipt.begin(), receipt.end())};
  }
  // Each new one makes room for itself and more, where there are expired ones.
  const bool is_full =
      memory_used_ >= memory_ && (entries_.empty() || entries_.front().expiry > now());
  if (is_full) return {State::kFull, {}};
  started_.emplace(token, Started{content.digest});
  return {State::kNew, {}};
}

void IdempotencyTokens::append_record(WriteBatch& batch, const Digest& token,
                                      std::string_view receipt) {
  const std::lock_guard lock(mutex_);
  forget_expired(batch, kForgottenWithOne);
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
  Receipt kept;
  kept.reserve(receipt.size());
  kept.assign(receipt.begin(), receipt.end());
  remember({token, started->second.content, started->second.expiry, std::move(kept)});
  started_.erase(started);
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
      forgotten = forget_expired(batch, kForgottenAtOnce);
    }
    if (!batch.empty()) engine_.commit(batch);
  }
}

std::size_t IdempotencyTokens::memory_used() const {
  const std::lock_guard lock(mutex_);
  return memory_used_;
}

}  // namespace magneto::storage
