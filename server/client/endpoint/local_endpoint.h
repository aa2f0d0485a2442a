#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/service.h"
#include "server/client/endpoint/endpoint.h"

namespace magneto::server::client {

// A service on a data directory, which stays open as long as a pointer to it exists.
using OpenService = std::shared_ptr<api::Service>;
// Opens the data directory; creates a missing one if `create` is set. Throws storage's exceptions:
// it is in use, damaged or of a newer format. Only server/main/main knows storage.
using OpenDirectory = std::function<OpenService(const std::string& directory, bool create)>;

// The caller of requests, with texts that outlive a request.
struct KeptCaller {
  KeptCaller() = default;
  explicit KeptCaller(const api::Caller& caller)
      : region(caller.region),
        account(caller.account),
        access_key(caller.access_key),
        profile(caller.profile) {}
  api::Caller view() const;

  std::string region;
  std::string account;
  std::string access_key;
  std::string only_table;  // Caller::only_table
  api::Profile profile = api::Profile::kAws;
};

// A service in this process, for one caller or for none in particular. Calls may wait for the disk.
class LocalEndpoint final : public Endpoint {
 public:
  LocalEndpoint(OpenService service, std::string name,
                std::shared_ptr<const KeptCaller> caller = nullptr);
  LocalEndpoint(OpenService service, std::string name, std::shared_ptr<const KeptCaller> caller,
                std::shared_ptr<ThrottlePatience> patience);

  Outcome call(std::string_view operation, std::string& body) override;
  std::unique_ptr<Endpoint> another() const override;
  const std::string& name() const override { return name_; }

 private:
  const OpenService service_;
  const std::string name_;
  const std::shared_ptr<const KeptCaller> caller_;  // nullptr: no particular caller
  std::string answer_;
};

}  // namespace magneto::server::client
