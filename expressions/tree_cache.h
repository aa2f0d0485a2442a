#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace magneto::expressions {

// Caches the last parsed texts of one thread and one kind of expression. Applications repeat a few
// expressions, and a parsed tree depends only on the text. Each text has one slot, so memory is
// limited to kSlots texts of kMaxTextSize bytes and their trees. Parsed has a member `text`.
template <typename Parsed>
class TreeCache {
 public:
  static constexpr std::size_t kSlots = 128;
  static constexpr std::size_t kMaxTextSize = 512;

  // `parse` makes a shared_ptr<const Parsed> from a text, or throws.
  template <typename Parse>
  std::shared_ptr<const Parsed> get(std::string_view text, Parse&& parse) {
    if (text.size() > kMaxTextSize) return std::forward<Parse>(parse)(text);
    std::shared_ptr<const Parsed>& slot = slots_[std::hash<std::string_view>()(text) % kSlots];
    if (slot == nullptr || slot->text != text) slot = std::forward<Parse>(parse)(text);
    return slot;
  }

 private:
  std::array<std::shared_ptr<const Parsed>, kSlots> slots_;
};

}  // namespace magneto::expressions
