#pragma once

#include <optional>
#include <string>

#include "api/statements/statement_input.h"
#include "api/validation/problem.h"
#include "expressions/partiql/statement.h"
#include "storage/database.h"
#include "storage/model/table_schema.h"
#include "storage/table/item_write.h"

namespace magneto::api {

// The words for problems with a key. A key that does not fit cancels a transaction (captured facts
// 3, P28 and P61).
enum class KeyWording { kOfStatement, kOfTransaction };

// An INSERT, UPDATE or DELETE as a write of one item, with the decision that is made while the item
// is held.
class StatementWrite {
 public:
  // The statement of `input` is bound; `input` and `effort` must outlive this object. Throws
  // ValidationException for a key value of a type that no key has, and in ExecuteStatement's words
  // for any key that does not fit.
  StatementWrite(storage::TablePtr table, const StatementInput& input, storage::Effort& effort,
                 KeyWording wording = KeyWording::kOfStatement);

  // The problem found by the other checks that need the table. If there is one, do not execute the
  // write; its key is empty.
  const Problem& problem() const { return problem_; }
  // Whether the problem is one of the item and not of the statement: then the answer of a batch
  // names the table (captured facts 3, P57).
  bool problem_names_table() const { return problem_names_table_; }

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
  Problem read_key(KeyWording wording);
  Problem read_inserted_key(KeyWording wording);
  storage::WriteDecision decide(const storage::StoredItem& current) const;

  storage::TablePtr table_;
  const expressions::Statement& statement_;
  const bool has_deep_parameter_;
  storage::Effort& effort_;
  storage::Item key_;  // UPDATE and DELETE
  std::string item_key_;
  Problem problem_;
  bool problem_names_table_ = false;
};

}  // namespace magneto::api
