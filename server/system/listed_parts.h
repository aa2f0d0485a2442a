#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::system {

// The elements of a list "a,b", without surrounding blanks and without empty elements.
std::vector<std::string> parts_of(std::string_view list);

// Converts the elements of a list to the form of canonical_origin or canonical_host. An element
// without such a form stays unchanged.
using Canonical = std::optional<std::string> (*)(std::string_view);
std::vector<std::string> canonical_parts(std::string_view list, Canonical canonical);

}  // namespace magneto::server::system
