#pragma once

#include <string>

namespace magneto::server::admin::mcp {

// The answer of an operation or of a route: one JSON object.
struct CallResult {
  int status = 200;  // of HTTP
  std::string body;

  bool succeeded() const { return status < 300; }
};

}  // namespace magneto::server::admin::mcp
