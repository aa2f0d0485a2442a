#include "storage/transaction/token_records.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"
#include "storage/transaction/idempotency_tokens.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kRemovedAtOnce = 100;
constexpr std::size_t kHead =
    sizeof(std::uint64_t) + sizeof(Digest);  // of a record: expiry content

Digest digest_at(std::string_view bytes) {
  Digest digest;
  std::copy_n(bytes.begin(), digest.size(), digest.begin());
  return digest;
}

std::string record_of(std::uint64_t expiry, std::string_view content_and_receipt) {
  std::string record;
  append_uint64(record, expiry);
  return record.append(content_and_receipt);
}

}  // namespace

TokenRecords::TokenRecords(Engine& engine, const Clock& clock)
    : engine_(engine), clock_(clock), tree_(engine.open_tree(ColumnFamily::kSystem, "")) {}

std::uint64_t TokenRecords::now() const {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.now().time_since_epoch())
          .count());
}

std::string TokenRecords::key_of(const Digest& token) {
  return std::string(kSharedTokenPrefix).append(bytes_of(token));
}

void TokenRecords::load() {
  const std::string first(kTransactionPrefix);
  const auto cursor = engine_.scan(*tree_, first, prefix_successor(first), Direction::kForward);
  while (cursor->next()) {
    const std::string_view key = cursor->key().substr(kTransactionPrefix.size());
    if (key.size() != kHead || cursor->value().size() < sizeof(Digest)) continue;
    const std::string own = key_of(digest_at(key.substr(sizeof(std::uint64_t))));
    const std::string record = record_of(read_uint64(key), cursor->value());
    for (bool is_done = false; !is_done;) {
      const WriteScopePtr scope = engine_.begin(own);
      const PinnedValue present = scope->get(*tree_, own);
      if (present && present.bytes().size() >= kHead &&
          read_uint64(present.bytes()) >= read_uint64(key)) {
        break;
      }
      WriteBatch batch;
      batch.put(tree_, own, record);
      is_done = scope->commit(batch) == CommitResult::kCommitted;
    }
  }
}

std::optional<TokenRecords::Found> TokenRecords::read(const PinnedValue& record) const {
  const std::string_view bytes = record.bytes();
  if (!record || bytes.size() < kHead || read_uint64(bytes) <= now()) return std::nullopt;
  return Found{digest_at(bytes.substr(sizeof(std::uint64_t))), std::string(bytes.substr(kHead))};
}

void TokenRecords::append(WriteBatch& batch, const Digest& token, const Digest& content,
                          std::string_view receipt) const {
  const auto lifetime = std::chrono::duration_cast<std::chrono::milliseconds>(kTokenLifetime);
  const std::uint64_t expiry = now() + static_cast<std::uint64_t>(lifetime.count());
  std::string rest(bytes_of(content));
  rest += receipt;
  batch.put(tree_, key_of(token), record_of(expiry, rest));
  batch.put(tree_, transaction_key(expiry, token), std::move(rest));
}

void TokenRecords::sweep() { remove_until(now()); }

void TokenRecords::forget_all() { remove_until(std::numeric_limits<std::uint64_t>::max()); }

// A token that was used again after its end has a later record, which stays.
void TokenRecords::remove_until(std::uint64_t expiry) {
  const std::string first(kTransactionPrefix);
  std::string beyond = prefix_successor(first);
  if (expiry != std::numeric_limits<std::uint64_t>::max()) {
    beyond = first;
    append_uint64(beyond, expiry + 1);
  }
  for (std::size_t found = kRemovedAtOnce; found == kRemovedAtOnce;) {
    found = 0;
    std::vector<std::pair<std::string, std::string>> keys;  // the token's own record, the other one
    const auto cursor = engine_.scan(*tree_, first, beyond, Direction::kForward,
                                     {.entries = kRemovedAtOnce, .bytes = 0});
    for (; found < kRemovedAtOnce && cursor->next(); ++found) {
      const std::string_view key = cursor->key().substr(kTransactionPrefix.size());
      if (key.size() == kHead) {
        keys.emplace_back(key_of(digest_at(key.substr(sizeof(std::uint64_t)))), cursor->key());
      }
    }
    for (const auto& [own, other] : keys) {
      for (bool is_done = false; !is_done;) {
        const WriteScopePtr scope = engine_.begin(own);
        const PinnedValue record = scope->get(*tree_, own);
        WriteBatch batch;
        batch.remove(tree_, other);
        const bool is_of_this =
            record && record.bytes().size() >= kHead &&
            transaction_key(read_uint64(record.bytes()),
                            digest_at(std::string_view(own).substr(kSharedTokenPrefix.size()))) ==
                other;
        if (is_of_this) batch.remove(tree_, own);
        is_done = scope->commit(batch) == CommitResult::kCommitted;
      }
    }
  }
}

}  // namespace magneto::storage
