#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "storage/clock.h"
#include "storage/encoding/digest.h"
#include "storage/engine/engine.h"

namespace magneto::storage {

// The client tokens of a store that servers share. Each is a record that the transaction reads and
// writes with its items, so that one of two servers finds what the other has done. Nothing is kept in
// memory. A second record has the form that one server alone reads (IdempotencyTokens), and orders
// tokens by their expiry. Thread-safe; all functions throw EngineError.
class TokenRecords {
 public:
  TokenRecords(Engine& engine, const Clock& clock);

  // Adds the records of tokens that a server alone has left. Called once, before any other function;
  // harmless if other servers do the same.
  void load();

  const TreePtr& tree() const { return tree_; }
  // The key of a token's record, for the scope of its transaction.
  static std::string key_of(const Digest& token);
  PinnedValue get(const Digest& token) const { return engine_.get(*tree_, key_of(token)); }
  struct Found {
    Digest content;
    std::string receipt;
  };
  // The contents of the record; nullopt if there is none, or it has expired.
  std::optional<Found> read(const PinnedValue& record) const;
  // Adds both records to the transaction's batch.
  void append(WriteBatch& batch, const Digest& token, const Digest& content,
              std::string_view receipt) const;

  // Removes the tokens that have expired, or all.
  void sweep();
  void forget_all();

 private:
  void remove_until(std::uint64_t expiry);
  std::uint64_t now() const;  // milliseconds since the epoch

  Engine& engine_;
  const Clock& clock_;
  const TreePtr tree_;
};

}  // namespace magneto::storage
