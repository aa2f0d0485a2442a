#include "storage/table/item_cursor.h"

#include <string>
#include <utility>

namespace magneto::storage {
ItemCursor::ItemCursor(const Reader& reader, const PartitionMap& partitions, KeyRange range,
                       Direction direction, ScanHint hint)
    : reader_(&reader),
      partitions_(&partitions),
      range_(std::move(range)),
      direction_(direction),
      hint_(hint) {
  // Ignores a bound outside the tree.
  const std::string& prefix = partitions.tree(0)->prefix();
  if (range_.lower.size() <= prefix.size()) range_.lower.clear();
  if (!range_.upper.starts_with(prefix)) range_.upper.clear();
  first_ = range_.lower.empty() ? 0 : partitions.partition_of(range_.lower);
  last_ = range_.upper.empty() ? partitions.size() - 1 : partitions.partition_of(range_.upper);
  if (!range_.upper.empty() && range_.lower >= range_.upper) {
    finished_ = true;
    return;
  }
  open_partition(direction_ == Direction::kForward ? first_ : last_);
}

void ItemCursor::open_partition(std::size_t partition) {
  partition_ = partition;
  const std::string_view lower = partition == first_ ? range_.lower : std::string_view();
  const std::string_view upper = partition == last_ ? range_.upper : std::string_view();
  cursor_ = reader_->scan(*partitions_->tree(partition), lower, upper, direction_, hint_);
}

bool ItemCursor::next() {
  if (finished_) return false;
  const bool forward = direction_ == Direction::kForward;
  while (!cursor_->next()) {
    if (partition_ == (forward ? last_ : first_)) {
      finished_ = true;
      return false;
    }
    open_partition(forward ? partition_ + 1 : partition_ - 1);
  }
  return true;
}

}  // namespace magneto::storage
