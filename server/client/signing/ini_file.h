#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace magneto::server::client {

// One "name = value".
struct IniProperty {
  std::string name;   // in small letters
  std::string value;  // without blanks around it; lines that continue it follow a line feed
  std::size_t line = 0;
};

// "[name]" and what follows it.
struct IniSection {
  std::string name;  // without blanks around it
  std::size_t line = 0;
  std::vector<IniProperty> properties;  // in the order of the file, repeated ones too
};

struct IniFault {
  std::size_t line = 0;
  std::string_view problem;  // says nothing of what the line holds, which may be a secret
};

// The form of AWS's configuration files (AWS SDKs and Tools Reference Guide, "Using shared config
// and credentials files"): whole lines behind "#" or ";" are comments, and so is what follows a
// blank and one of them; a line indented deeper than the property before it continues that.
std::variant<std::vector<IniSection>, IniFault> read_ini(std::string_view text);

}  // namespace magneto::server::client
