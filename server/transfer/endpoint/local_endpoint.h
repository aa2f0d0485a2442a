#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/service.h"
#include "server/transfer/endpoint/endpoint.h"

namespace magneto::server {

// A service on a data directory, open for as long as somebody has it.
using OpenService = std::shared_ptr<api::Service>;
// Opens the data directory, making it when it is missing and `create` is set. Throws what storage
// throws: it is in use, of a newer format, damaged. Only server/main knows storage.
using OpenDirectory = std::function<OpenService(const std::string& directory, bool create)>;

// A service in this process, for no particular caller. Calls wait for the disk where they must.
class LocalEndpoint : public Endpoint {
 public:
  LocalEndpoint(OpenService service, std::string name);
  LocalEndpoint(OpenService service, std::string name, std::shared_ptr<ThrottlePatience> patience);

  Outcome call(std::string_view operation, std::string& body) override;
  std::unique_ptr<Endpoint> another() const override;
  const std::string& name() const override { return name_; }

 private:
  const OpenService service_;
  const std::string name_;
  std::string answer_;
};

}  // namespace magneto::server
