#pragma once

#include <optional>
#include <string>

#include "api/validation/problem.h"
#include "expressions/partiql/statement.h"
#include "storage/database.h"
#include "storage/model/table_schema.h"
#include "storage/table/item_write.h"

namespace magneto::api {

// An INSERT, UPDATE or DELETE as a write of one item, with what is decided while it is held.
class StatementWrite {
 public:
  // `statement` is bound and must, as `effort`, outlive this. Throws ValidationException when an
  // UPDATE or DELETE names no key.
  StatementWrite(storage::TablePtr table, const expressions::Statement& statement,
                 storage::Effort& effort);

  // What the checks that need the table find, in ExecuteStatement's words. Then it is not to be
  // written, and its key is empty.
  const Problem& problem() const { return problem_; }

  const storage::Table& table() const { return *table_; }
  const std::string& item_key() const { return item_key_; }  // item_key()
  const storage::Item& key() const;                          // of an INSERT the whole item
  // Valid as long as this.
  storage::ItemWrite item_write() const { return {table_, item_key_, *this}; }

  // Pure. UPDATE and DELETE are rejected when the WHERE clause does not hold of the item, UPDATE
  // also when there is none (captured facts, "RETURNING shapes"). INSERT throws
  // DuplicateItemException when there is one.
  storage::WriteDecision operator()(const storage::StoredItem& current) const;

  // What RETURNING asks for; nullopt when that is nothing.
  std::optional<storage::Item> returned_item(const storage::WriteOutcome& outcome) const;

 private:
  Problem read_key();
  Problem read_inserted_key();

  storage::TablePtr table_;
  const expressions::Statement& statement_;
  storage::Effort& effort_;
  storage::Item key_;  // UPDATE and DELETE
  std::string item_key_;
  Problem problem_;
};

}  // namespace magneto::api
