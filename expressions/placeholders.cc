#include "expressions/placeholders.h"

#include "storage/model/item_size.h"

namespace magneto::expressions {

template <typename Bound>
void Placeholders::Table<Bound>::add(std::string_view placeholder, Bound bound) {
  if (Entry<Bound>* entry = find(placeholder)) {
    entry->bound = bound;
  } else {
    entries_.push_back({placeholder, bound, false});
  }
}

template <typename Bound>
Placeholders::Entry<Bound>* Placeholders::Table<Bound>::find(std::string_view placeholder) {
  if (entries_.size() <= kFew) {
    for (Entry<Bound>& entry : entries_) {
      if (entry.placeholder == placeholder) return &entry;
    }
    return nullptr;
  }
  for (; indexed_ < entries_.size(); ++indexed_) {
    by_placeholder_.emplace(entries_[indexed_].placeholder, indexed_);
  }
  const auto found = by_placeholder_.find(placeholder);
  return found == by_placeholder_.end() ? nullptr : &entries_[found->second];
}

template <typename Bound>
const Bound* Placeholders::Table<Bound>::use(std::string_view placeholder) {
  Entry<Bound>* entry = find(placeholder);
  if (entry == nullptr) return nullptr;
  entry->used = true;
  return &entry->bound;
}

template <typename Bound>
std::vector<std::string_view> Placeholders::Table<Bound>::unused() const {
  std::vector<std::string_view> unused;
  for (const Entry<Bound>& entry : entries_) {
    if (!entry.used) unused.push_back(entry.placeholder);
  }
  return unused;
}

void Placeholders::add_name(std::string_view placeholder, std::string_view attribute) {
  names_.add(placeholder, attribute);
}

void Placeholders::add_value(std::string_view placeholder, storage::AttributeView value) {
  values_.add(placeholder, value);
}

const std::string_view* Placeholders::use_name(std::string_view placeholder) {
  return names_.use(placeholder);
}

storage::AttributeView Placeholders::use_value(std::string_view placeholder) {
  const storage::AttributeView* value = values_.use(placeholder);
  return value == nullptr ? storage::AttributeView() : *value;
}

std::size_t Placeholders::values_size() const {
  std::size_t size = 0;
  values_.visit([&size](storage::AttributeView value) { size += storage::value_size(value); });
  return size;
}

std::vector<std::string_view> Placeholders::unused_names() const { return names_.unused(); }

std::vector<std::string_view> Placeholders::unused_values() const { return values_.unused(); }

}  // namespace magneto::expressions
