#pragma once

#include <optional>
#include <string>

#include "api/validation/problem.h"
#include "expressions/partiql/statement.h"
#include "storage/database.h"
#include "storage/model/table_schema.h"
#include "storage/table/item_write.h"

namespace magneto::api {

// An INSERT, UPDATE or DELETE as a write of one item, with the decision that is made while the item
// is held.
class StatementWrite {
 public:
  // `statement` is bound; it and `effort` must outlive this object. Throws ValidationException if
  // an UPDATE or DELETE names no key.
  StatementWrite(storage::TablePtr table, const expressions::Statement& statement,
                 storage::Effort& effort);

  // The problem found by the checks that need the table, in ExecuteStatement's words. If there is
  // one, do not execute the write; its key is empty.
  const Problem& problem() const { return problem_; }

  const storage::Table& table() const { return *table_; }
  const std::string& item_key() const { return item_key_; }  // item_key()
  const storage::Item& key() const;                          // for an INSERT, the whole item
  // Valid as long as this object.
  storage::ItemWrite item_write() const { return {table_, item_key_, *this}; }

  // Pure. Rejects an UPDATE or DELETE if the WHERE clause does not hold for the item, and an UPDATE
  // also if there is no item (captured facts, "RETURNING shapes"). For an INSERT, throws
  // DuplicateItemException if there is an item.
  storage::WriteDecision operator()(const storage::StoredItem& current) const;

  // The item that RETURNING asks for; nullopt if there is nothing to return.
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
