#pragma once

#include <string_view>

namespace magneto::server {

// The sentence for a file that begins as JSON though it was said to be CSV, with the format that fits;
// empty when it does not begin so.
std::string_view json_look(std::string_view start);

}  // namespace magneto::server
