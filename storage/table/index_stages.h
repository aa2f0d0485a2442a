#pragma once

#include "storage/table/table.h"

// The stages in which an index is added to a table, as its writers see them.
namespace magneto::storage {

// Whether entries of items that are older than the index may be missing.
bool is_incomplete(const IndexSchema& index);

// Whether it has begun to be added to its table, and is not filled yet.
bool is_only_begun(const IndexSchema& index);

// Whether entries are only removed. Servers that share a store first do this with a new index, until all
// of them know it: otherwise one server would add an entry that another one does not remove.
bool is_only_removed_from(const Table& table, const Index& index);
// The part of the change that removes. An entry whose key stays is removed too: the index is filled
// later.
EntryChange removal_of(EntryChange change);

}  // namespace magneto::storage
