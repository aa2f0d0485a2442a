#include "storage/transaction/transaction.h"

#include <algorithm>

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
  TokenInUse(IdempotencyTokens& tokens, const Digest& token) : tokens_(tokens), token_(token) {}
  TokenInUse(const TokenInUse&) = delete;
  TokenInUse& operator=(const TokenInUse&) = delete;
  ~TokenInUse() {
    if (!finished_) tokens_.abandon(token_);
  }
  void append_record(WriteBatch& batch, std::string_view receipt) {
    tokens_.append_record(batch, token_, receipt);
  }
  void finish(std::string_view receipt) {
    tokens_.finish(token_, receipt);
    finished_ = true;
  }

 private:
  IdempotencyTokens& tokens_;
  const Digest& token_;
  bool finished_ = false;
};

TransactionResult TransactionWriter::run_once(const TransactionRequest& request,
                                              TokenInUse* token) {
  std::vector<std::string_view> keys;
  keys.reserve(request.writes.size());
  for (const ItemWrite& write : request.writes) keys.push_back(write.key);
  TransactionResult result;
  const ItemClaims::Claim claim = claims_.claim(keys, result.conflicts);
  if (!result.conflicts.empty()) return result;
  result.outcomes = writer_.write_all(
      request.writes,
      [&](std::span<const WriteOutcome> outcomes, WriteBatch& batch) {
        if (token == nullptr) return;
        result.receipt = request.token->receipt(outcomes);
        token->append_record(batch, result.receipt);
      },
      [&] {
        if (token != nullptr) token->finish(result.receipt);
      });
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
  TokenInUse in_use(tokens_, token);
  return run_once(request, &in_use);
}

}  // namespace magneto::storage
