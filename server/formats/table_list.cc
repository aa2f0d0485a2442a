#include "server/formats/table_list.h"

#include <algorithm>
#include <cstddef>

namespace magneto::server::formats {
namespace {

bool is_line(std::string_view name) {
  constexpr std::size_t kLongestName = 255;
  return !name.empty() && name.size() <= kLongestName && std::ranges::none_of(name, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

}  // namespace

std::string table_list_text(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) {
    if (is_line(name)) text.append(name).append(1, '\n');
  }
  return text;
}

std::optional<std::vector<std::string>> read_table_list(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || !is_line(text.substr(0, end))) return std::nullopt;
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return names;
}

}  // namespace magneto::server::formats
