#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::system {

// The parts of "a,b", without blanks around them and without empty ones.
std::vector<std::string> parts_of(std::string_view list);

// Brings the parts of a list into their form: canonical_origin or canonical_host. One that has none
// stays as it is.
using Canonical = std::optional<std::string> (*)(std::string_view);
std::vector<std::string> canonical_parts(std::string_view list, Canonical canonical);

}  // namespace magneto::server::system
