#include "storage/transaction/transaction.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "storage/encoding/keyspace.h"

namespace magneto::storage {
namespace {

using Kind = TransactionResult::Kind;

// Tokens of the main database keep their format from before there were others. A client's token
// begins with its account, so never with the zeros of a number.
Digest digest_of_token(std::uint32_t database, std::string_view token) {
  if (database == 0) return digest_of(token);
  std::string qualified(1, '\0');
  append_uint32(qualified, database);
  return digest_of(qualified.append(token));
}

}  // namespace

// Releases a token unless its transaction was committed.
class TransactionWriter::TokenInUse {
 public:
  TokenInUse(IdempotencyTokens& tokens, TokenRecords* records, const Digest& token,
             const Digest& content)
      : tokens_(tokens), records_(records), token_(token), content_(content) {}
  TokenInUse(const TokenInUse&) = delete;
  TokenInUse& operator=(const TokenInUse&) = delete;
  ~TokenInUse() {
    if (!finished_) tokens_.abandon(token_);
  }
  void append_record(WriteBatch& batch, std::string_view receipt) {
    if (records_ != nullptr) return records_->append(batch, token_, content_, receipt);
    tokens_.append_record(batch, token_, receipt);
  }
  void finish(std::string_view receipt) {
    if (records_ != nullptr) return;
    tokens_.finish(token_, receipt);
    finished_ = true;
  }

  // Whether the transaction reads the token's record, in which another server may have written.
  bool has_record() const { return records_ != nullptr; }
  ItemWriter::Guard guard(absl::FunctionRef<bool(const PinnedValue& record)> allows) const {
    return {records_->tree(), TokenRecords::key_of(token_), allows};
  }
  // Whether the transaction was carried out already, for one that may not claim its items now.
  void look_up(TransactionResult& result) const {
    if (records_ != nullptr) is_free(records_->get(token_), result);
  }
  // False if a transaction was carried out under the token; then `result` says so.
  bool is_free(const PinnedValue& record, TransactionResult& result) const {
    std::optional<TokenRecords::Found> found = records_->read(record);
    if (!found) return true;
    const bool is_same = found->content == content_;
    result.kind = is_same ? Kind::kRepeated : Kind::kMismatch;
    if (is_same) result.receipt = std::move(found->receipt);
    return false;
  }

 private:
  IdempotencyTokens& tokens_;
  TokenRecords* const records_;
  const Digest& token_;
  const Digest& content_;
  bool finished_ = false;
};

TransactionResult TransactionWriter::run_once(const TransactionRequest& request,
                                              TokenInUse* token) {
  std::vector<std::string_view> keys;
  keys.reserve(request.writes.size());
  for (const ItemWrite& write : request.writes) keys.push_back(write.key);
  TransactionResult result;
  const ItemClaims::Claim claim = claims_.claim(keys, result.conflicts);
  if (!result.conflicts.empty()) {
    if (token != nullptr) token->look_up(result);
    return result;
  }
  const auto is_free = [&](const PinnedValue& record) { return token->is_free(record, result); };
  std::optional<ItemWriter::Guard> guard;
  if (token != nullptr && token->has_record()) guard.emplace(token->guard(is_free));
  result.outcomes = writer_.write_all(
      request.writes,
      [&](std::span<const WriteOutcome> outcomes, WriteBatch& batch) {
        if (token == nullptr) return;
        result.receipt = request.token->receipt(outcomes);
        token->append_record(batch, result.receipt);
      },
      [&] {
        if (token != nullptr) token->finish(result.receipt);
      },
      guard ? &*guard : nullptr);
  if (result.kind != Kind::kCancelled) return result;
  if (std::ranges::none_of(result.outcomes, &WriteOutcome::rejected)) {
    result.kind = Kind::kCommitted;
  }
  return result;
}

TransactionResult TransactionWriter::run(const TransactionRequest& request,
                                         std::uint32_t database) {
  if (request.token == nullptr) return run_once(request, nullptr);
  const Digest token = digest_of_token(database, request.token->token);
  IdempotencyTokens::Answer answer = tokens_.begin(token, request.token->content);
  switch (answer.state) {
    case IdempotencyTokens::State::kNew:
      break;
    case IdempotencyTokens::State::kRepeated:
      return {Kind::kRepeated, {}, {}, std::move(answer.receipt)};
    case IdempotencyTokens::State::kMismatch:
      return {Kind::kMismatch, {}, {}, {}};
    case IdempotencyTokens::State::kInProgress:
      return {Kind::kInProgress, {}, {}, {}};
    case IdempotencyTokens::State::kFull:
      return {Kind::kRefused, {}, {}, {}};
  }
  TokenInUse in_use(tokens_, records_, token, request.token->content.digest);
  return run_once(request, &in_use);
}

}  // namespace magneto::storage
