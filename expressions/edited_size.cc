#include "expressions/edited_size.h"

#include "storage/model/item_size.h"
#include "storage/model/limits.h"

namespace magneto::expressions {

using storage::AttributeView;

namespace {

// The stored form of a value takes at least half of its counted bytes (a NULL in a list: one byte,
// counted as two).
bool may_exceed(std::size_t bytes) { return 2 * bytes > storage::kMaxItemSize; }

// The counted size of a value. Spends the steps for counting its members.
std::size_t counted_size(AttributeView value, storage::Effort& effort) {
  constexpr std::size_t kCountedInAStep = 2;  // size of the smallest members
  const bool has_members = storage::is_document(value.type()) || storage::is_set(value.type());
  effort.spend(has_members ? value.bytes().size() / kCountedInAStep : 1);
  return storage::value_size(value);
}

}  // namespace

void EditedSize::count_all() {
  for (const AttributeView value : uncounted_) {
    size_ += counted_size(value, effort_);
    exceeded_ = exceeded_ || size_ > storage::kMaxItemSize;
    if (exceeded_) break;
  }
  uncounted_.clear();
}

void EditedSize::add(AttributeView value) {
  if (!value || exceeded_) return;
  bytes_ += value.bytes().size();
  uncounted_.push_back(value);
  if (may_exceed(bytes_)) count_all();
}

bool EditedSize::has_room_for(std::span<const AttributeView> lists) {
  if (exceeded_) return false;
  std::size_t bytes = bytes_;
  for (const AttributeView list : lists) bytes += list.bytes().size();
  if (!may_exceed(bytes)) return true;
  count_all();
  constexpr std::size_t kOfAnEmptyList = 3;
  std::size_t size = size_ + kOfAnEmptyList;
  for (const AttributeView list : lists) {
    size += counted_size(list, effort_) - kOfAnEmptyList;
    exceeded_ = exceeded_ || size > storage::kMaxItemSize;
    if (exceeded_) return false;
  }
  return true;
}

}  // namespace magneto::expressions
