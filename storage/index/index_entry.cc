#include "storage/index/index_entry.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/item_size.h"
#include "storage/model/value_writer.h"

namespace magneto::storage {
namespace {

void append_names(const std::vector<KeyAttribute>& attributes, std::vector<std::string>& names) {
  for (const KeyAttribute& attribute : attributes) names.push_back(attribute.name);
}

bool has_attributes(const std::vector<KeyAttribute>& attributes, ItemView item) {
  return std::ranges::all_of(attributes, [&](const KeyAttribute& attribute) {
    const AttributeView value = item.find(attribute.name);
    return value && value.type() == attribute.type;
  });
}

bool same_attributes(const std::vector<KeyAttribute>& attributes, ItemView a, ItemView b) {
  return std::ranges::all_of(attributes, [&](const KeyAttribute& attribute) {
    return a.find(attribute.name) == b.find(attribute.name);
  });
}

// The bytes of the entry's item and, unless all is projected, what holds them.
class Projected {
 public:
  Projected(const ProjectedAttributes& attributes, ItemView item)
      : owned_(attributes.all() || item.bytes().empty() ? std::string() : attributes.project(item)),
        view_(attributes.all() ? item : ItemView(owned_)) {}
  Projected(const Projected&) = delete;
  Projected& operator=(const Projected&) = delete;

  ItemView view() const { return view_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(item_size(view_)); }

 private:
  std::string owned_;
  ItemView view_;
};

}  // namespace

ProjectedAttributes::ProjectedAttributes(const TableSchema& table, const IndexSchema& index)
    : type_(index.projection.type) {
  if (all()) return;
  append_names(table.key.partition, names_);
  append_names(table.key.sort, names_);
  append_names(index.key.partition, names_);
  append_names(index.key.sort, names_);
  if (type_ == ProjectionType::kInclude) {
    const auto& included = index.projection.non_key_attributes;
    names_.insert(names_.end(), included.begin(), included.end());
  }
  std::ranges::sort(names_);
  const auto repeated = std::ranges::unique(names_);
  names_.erase(repeated.begin(), repeated.end());
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

bool is_in_index(const IndexSchema& index, ItemView item) {
  return item.size() != 0 && has_attributes(index.key.partition, item) &&
         has_attributes(index.key.sort, item);
}

EntryChange entry_change(const TableSchema& table, const IndexSchema& index,
                         const ProjectedAttributes& projected, ItemView before, ItemView after) {
  EntryChange change;
  const bool was_in = is_in_index(index, before);
  const bool is_in = is_in_index(index, after);
  if (!was_in && !is_in) return change;

  const bool same_key = was_in && is_in && same_attributes(index.key.partition, before, after) &&
                        same_attributes(index.key.sort, before, after);
  if (same_key && projected.keys_only()) return change;

  const Projected entry_before(projected, was_in ? before : ItemView());
  const Projected entry_after(projected, is_in ? after : ItemView());
  if (same_key && entry_before.view().bytes() == entry_after.view().bytes()) return change;

  if (was_in) {
    change.old_size = entry_before.size();
    if (!same_key) change.delete_key = *index_key(table, index, before);
  }
  if (is_in) {
    change.new_size = entry_after.size();
    change.put_key = *index_key(table, index, after);
    change.value = encode_item(entry_after.view(), change.new_size);
  }
  return change;
}

}  // namespace magneto::storage
