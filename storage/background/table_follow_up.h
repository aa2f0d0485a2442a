#pragma once

#include "storage/table/catalog.h"

namespace magneto::storage {

// What follows in the background when tables change, for one kind of what a table has: its indexes,
// its stream, the space of what was dropped. TableLifecycle calls each one that it was given, in the
// thread of whoever changes the table, in which nothing takes long but to wait for the writers of
// this moment. Thread-safe.
class TableFollowUp {
 public:
  virtual ~TableFollowUp() = default;

  // Goes on with what an earlier process began. Once, after Catalog::load(), before the others.
  virtual void resume() = 0;
  // `edited.table` was published in place of `edited.previous`; neither is nullptr. Of versions that
  // update_table makes or the end of passing statuses; two may come in the other order than they
  // were made in, each with its own previous one.
  virtual void follow(const Catalog::Edited& edited) = 0;
  // The table is gone, which this was the last version of.
  virtual void drop(const Table& table) = 0;
};

}  // namespace magneto::storage
