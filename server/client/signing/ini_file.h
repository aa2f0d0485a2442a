#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace magneto::server::client {

// One "name = value".
struct IniProperty {
  std::string name;   // in lower case
  std::string value;  // trimmed; each continuation line follows a line feed
  std::size_t line = 0;
};

// "[name]" and its properties.
struct IniSection {
  std::string name;  // trimmed
  std::size_t line = 0;
  std::vector<IniProperty> properties;  // in the order of the file, with repeated ones
};

struct IniFault {
  std::size_t line = 0;
  std::string_view problem;  // does not quote the line, which may contain a secret
};

// Parses AWS's configuration files (AWS SDKs and Tools Reference Guide, "Using shared config and
// credentials files"). A line that begins with "#" or ";" is a comment. So is the rest of a line
// after a blank and one of them. A line that is indented deeper than the property before it
// continues that property.
std::variant<std::vector<IniSection>, IniFault> read_ini(std::string_view text);

}  // namespace magneto::server::client
