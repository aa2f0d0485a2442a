#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "storage/engine/postgres/postgres_connection.h"
#include "storage/engine/postgres/statements.h"
#include "storage/engine/write_batch.h"

namespace magneto::storage {

// The statements that apply batches, with their arguments: for each family at most one that puts
// and one that removes, with ascending keys.
class GroupStatements {
 public:
  // A later batch wins over an earlier one. The batches outlive this object.
  GroupStatements(std::span<const WriteBatch* const> batches, const Statements& statements,
                  std::int64_t version);

  std::span<const PostgresConnection::Call> calls() const { return calls_; }

 private:
  void add_family(std::span<const WriteBatch::Operation* const> operations,
                  const Statements& statements, std::int64_t version);

  std::deque<Arguments> arguments_;  // which calls_ refer to
  std::vector<PostgresConnection::Call> calls_;
};

}  // namespace magneto::storage
