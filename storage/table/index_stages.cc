#include "storage/table/index_stages.h"

#include <utility>

namespace magneto::storage {

bool is_incomplete(const IndexSchema& index) {
  return index.status == ResourceStatus::kCreating || index.backfilling;
}

bool is_only_begun(const IndexSchema& index) {
  return index.status == ResourceStatus::kCreating && !index.backfilling;
}

bool is_only_removed_from(const Table& table, const Index& index) {
  return index.applier == nullptr && table.schema.status != ResourceStatus::kCreating &&
         is_only_begun(index.schema);
}

EntryChange removal_of(EntryChange change) {
  EntryChange removal;
  removal.delete_key = std::move(change.delete_key.empty() ? change.put_key : change.delete_key);
  removal.old_size = change.old_size;
  return removal;
}

}  // namespace magneto::storage
