#pragma once

#include <string>

#include "server/client/endpoint/endpoint_url.h"

namespace magneto::server::admin::mcp {

// The way to a running server.
struct RemoteOptions {
  client::EndpointUrl url;
  std::string token;    // of its control interface
  std::string ca_file;  // PEM, further certificates to trust; empty: none
  bool read_only = false;
};

}  // namespace magneto::server::admin::mcp
