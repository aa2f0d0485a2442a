#pragma once

#include "storage/table/catalog.h"

namespace magneto::storage {

// The background work after a table changes, for one kind of thing that tables have: indexes,
// streams, the space of dropped data. TableLifecycle calls each one that it was given, in the
// thread that changes the table. Nothing there may take long except waiting for writers in
// progress. Thread-safe.
class TableFollowUp {
 public:
  virtual ~TableFollowUp() = default;

  // Continues the work of an earlier process. Called once, after Catalog::load(), before the
  // others.
  virtual void resume() = 0;
  // `edited.table` was published in place of `edited.previous`; neither is nullptr. Called for
  // versions made by update_table() or by the end of temporary statuses. Two calls may come in
  // reverse order, each with its own previous version.
  virtual void follow(const Catalog::Edited& edited) = 0;
  // The table is gone; `table` was its last version.
  virtual void drop(const Table& table) = 0;
};

}  // namespace magneto::storage
