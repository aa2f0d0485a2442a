#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace magneto::server::system {

// "1 table", "2 tables".
inline std::string counted(std::uint64_t number, std::string_view noun) {
  std::string text = std::to_string(number);
  text.append(" ").append(noun);
  if (number != 1) text += 's';
  return text;
}

// The verb after a count: "1 table was", "2 tables were".
inline std::string_view were(std::uint64_t number) { return number == 1 ? "was" : "were"; }

}  // namespace magneto::server::system
