#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/table/item_claims.h"
#include "storage/table/item_write.h"
#include "storage/table/item_writer.h"
#include "storage/transaction/idempotency_tokens.h"
#include "storage/transaction/token_records.h"

namespace magneto::storage {

// The token that a client gave its transaction, so that a repeat does nothing.
struct ClientToken {
  std::string_view token;  // includes the identity of the client
  TokenContent content;    // the contents of the request
  // Makes the answer to a repeat from the outcomes. Called before the commit.
  absl::FunctionRef<std::string(std::span<const WriteOutcome>)> receipt;
};

// Items to decide on and write together, all or none.
struct TransactionRequest {
  std::span<const ItemWrite> writes;  // of distinct items
  const ClientToken* token = nullptr;
};

struct TransactionResult {
  enum class Kind : std::uint8_t {
    kCommitted,
    kCancelled,   // an item's decision was kReject, or another transaction held an item
    kRepeated,    // nothing was done again; `receipt` describes the first time
    kMismatch,    // the token was used for another request
    kInProgress,  // the first request under the token is still running
    kRefused,     // there is no room to remember the token
  };
  Kind kind = Kind::kCancelled;
  std::vector<WriteOutcome> outcomes;  // kCommitted, and kCancelled by decisions
  std::vector<bool> conflicts;         // kCancelled by other transactions: a flag for each item
  std::string receipt;
};

// Carries out transactions. They are serialisable, since each holds all of its items from before
// its reads until its one batch is committed. Thread-safe.
class TransactionWriter {
 public:
  // `records` is nullptr unless servers share the store. Then a token is honoured by all servers, and
  // `tokens` has only those in use on this one.
  TransactionWriter(ItemWriter& writer, ItemClaims& claims, IdempotencyTokens& tokens,
                    TokenRecords* records)
      : writer_(writer), claims_(claims), tokens_(tokens), records_(records) {}

  // `database` is the number of the request's database; its tokens mean nothing in another one.
  // Throws EngineError, TableGone and exceptions of a `decide`; nothing is written then.
  TransactionResult run(const TransactionRequest& request, std::uint32_t database);

 private:
  class TokenInUse;

  // `token` is nullptr if the client gave none.
  TransactionResult run_once(const TransactionRequest& request, TokenInUse* token);

  ItemWriter& writer_;
  ItemClaims& claims_;
  IdempotencyTokens& tokens_;
  TokenRecords* const records_;
};

}  // namespace magneto::storage
