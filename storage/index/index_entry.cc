#include "storage/index/index_entry.h"

#include <algorithm>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/model/item_size.h"
#include "storage/model/narrow.h"
#include "storage/model/value_writer.h"

namespace magneto::storage {
namespace {

// The bytes of the entry's item, with their owner unless all attributes are projected.
class Projected {
 public:
  Projected(const ProjectedAttributes& attributes, ItemView item)
      : owned_(attributes.all() || item.bytes().empty() ? std::string() : attributes.project(item)),
        view_(attributes.all() ? item : ItemView(owned_)) {}
  Projected(const Projected&) = delete;
  Projected& operator=(const Projected&) = delete;

  ItemView view() const { return view_; }
  std::uint32_t size() const { return narrow<std::uint32_t>(item_size(view_)); }

 private:
  std::string owned_;
  ItemView view_;
};

}  // namespace

ProjectedAttributes::ProjectedAttributes(const TableSchema& table, const IndexSchema& index)
    : type_(index.projection.type) {
  if (all()) return;
  for (const auto element : table.key.attributes()) names_.push_back(element.attribute.name);
  for (const auto& element : index.elements()) names_.push_back(element.attribute.name);
  if (type_ == ProjectionType::kInclude) {
    const auto& included = index.projection.non_key_attributes;
    names_.insert(names_.end(), included.begin(), included.end());
  }
  std::ranges::sort(names_);
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

bool ProjectedAttributes::contains(std::string_view attribute) const {
  return all() || std::ranges::binary_search(names_, attribute);
}

std::string ProjectedAttributes::project(ItemView item) const {
  if (all()) return std::string(item.bytes());
  std::string out;
  ValueWriter writer(out);
  writer.begin_item();
  auto name = names_.begin();
  for (const NamedAttribute& attribute : item) {
    while (name != names_.end() && *name < attribute.name) ++name;
    if (name == names_.end()) break;
    if (*name != attribute.name) continue;
    writer.name(attribute.name);
    writer.value(attribute.value);
  }
  writer.end_item();
  return out;
}

EntryChange entry_change(IndexKeyEncoder& keys, const IndexSchema& index,
                         const ProjectedAttributes& projected, ItemView before, ItemView after) {
  EntryChange change;
  IndexKeyValues key_before;
  IndexKeyValues key_after;
  const bool was_in = collect_index_key(index, before, key_before);
  const bool is_in = collect_index_key(index, after, key_after);
  if (!was_in && !is_in) return change;

  const bool same_key = was_in && is_in && key_before == key_after;
  if (same_key && projected.keys_only()) return change;

  const Projected entry_before(projected, was_in ? before : ItemView());
  const Projected entry_after(projected, is_in ? after : ItemView());
  if (same_key && entry_before.view().bytes() == entry_after.view().bytes()) return change;

  if (was_in) {
    change.old_size = entry_before.size();
    if (!same_key) change.delete_key = keys.encode(index, key_before);
  }
  if (is_in) {
    change.new_size = entry_after.size();
    change.put_key = keys.encode(index, key_after);
    change.value = encode_item(entry_after.view(), change.new_size);
  }
  return change;
}

}  // namespace magneto::storage
