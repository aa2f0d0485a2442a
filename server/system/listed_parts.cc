#include "server/system/listed_parts.h"

#include <algorithm>

namespace magneto::server::system {

std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), part.size() + 1));
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

std::vector<std::string> canonical_parts(std::string_view list, Canonical canonical) {
  std::vector<std::string> parts = parts_of(list);
  for (std::string& part : parts) part = canonical(part).value_or(part);
  return parts;
}

}  // namespace magneto::server::system
