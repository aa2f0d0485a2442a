#include "server/http/table_labels.h"

#include <functional>
#include <memory>
#include <utility>

namespace magneto::server::http {

std::size_t TableLabels::slot_of(std::string_view name) {
  return std::hash<std::string_view>()(name) % kSlots;
}

std::size_t TableLabels::place_of(std::string_view name) {
  const std::size_t first = slot_of(name);
  // Read first: another thread may add this name, the last one, during the search.
  const bool is_full = full_.load(std::memory_order_acquire);
  for (std::size_t slot = first;; slot = (slot + 1) % kSlots) {
    const Label* const label = slots_[slot].load(std::memory_order_acquire);
    if (label == nullptr) break;
    if (label->name == name) return label->place;
  }
  if (is_full) return kOthers;
  const std::lock_guard lock(mutex_);
  std::size_t slot = first;
  for (; const Label* const label = slots_[slot].load(); slot = (slot + 1) % kSlots) {
    if (label->name == name) return label->place;
  }
  if (labels_.size() == kMost) return kOthers;
  auto label = std::make_unique<const Label>(Label{std::string(name), labels_.size()});
  slots_[slot].store(label.get(), std::memory_order_release);
  labels_.push_back(std::move(label));
  if (labels_.size() == kMost) full_.store(true, std::memory_order_release);
  return labels_.back()->place;
}

std::vector<std::string> TableLabels::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  names.reserve(labels_.size());
  for (const auto& label : labels_) names.push_back(label->name);
  return names;
}

}  // namespace magneto::server::http
