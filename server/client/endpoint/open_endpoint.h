#pragma once

#include <memory>
#include <string>

#include "server/client/endpoint/http_endpoint.h"
#include "server/client/endpoint/local_endpoint.h"

namespace magneto::server::client {

// An endpoint as a command line names it.
struct EndpointLocation {
  EndpointOptions options;     // its address is empty with a data directory
  std::string data_directory;  // empty with an address
};

// `create`: a data directory may be made. Throws std::runtime_error, a sentence for the user.
std::unique_ptr<Endpoint> open_endpoint(const EndpointLocation& place, bool create,
                                        const OpenDirectory& open_directory);

}  // namespace magneto::server::client
