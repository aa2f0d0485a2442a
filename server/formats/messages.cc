#include "server/formats/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::formats::messages {

std::string other_item_count(std::string_view path, std::uint64_t found, std::uint64_t told) {
  return fmt::format("{} has {}, but the manifest says {}", path, system::counted(found, "item"),
                     told);
}

std::string repeated_attribute(std::string_view name) {
  constexpr std::size_t kMostShown = 100;
  return fmt::format("has the attribute {} twice", name.substr(0, kMostShown));
}

}  // namespace magneto::server::formats::messages
