#pragma once

#include <string_view>

namespace magneto::server::client {

// A header field by its own name. Views.
struct HeaderField {
  std::string_view name;
  std::string_view value;
};

}  // namespace magneto::server::client
