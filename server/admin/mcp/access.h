#pragma once

#include <cstdint>

namespace magneto::server::admin::mcp {

// The tools that /_/mcp has, by --mcp.
enum class Access : std::uint8_t {
  kAll,
  kReadOnly,  // only tools that change nothing
  kNone,      // there is no /_/mcp
};

}  // namespace magneto::server::admin::mcp
