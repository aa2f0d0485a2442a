#include "server/client/endpoint/open_endpoint.h"

namespace magneto::server::client {

std::unique_ptr<Endpoint> open_endpoint(const EndpointLocation& place, bool create,
                                        const OpenDirectory& open_directory) {
  const std::string& directory = place.data_directory;
  if (directory.empty()) return make_http_endpoint(place.options, process_environment());
  return std::make_unique<LocalEndpoint>(open_directory(directory, create), directory);
}

}  // namespace magneto::server::client
