#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/service.h"
#include "server/client/endpoint/endpoint.h"

namespace magneto::server::client {

// A service on a data directory, open for as long as somebody has it.
using OpenService = std::shared_ptr<api::Service>;
// Opens the data directory, making it when it is missing and `create` is set. Throws what storage
// throws: it is in use, of a newer format, damaged. Only server/main/main knows storage.
using OpenDirectory = std::function<OpenService(const std::string& directory, bool create)>;

// Who calls, for longer than a request lasts.
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

// A service in this process, for one caller, or for no particular one. Calls wait for the disk where
// they must.
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
  const std::shared_ptr<const KeptCaller> caller_;  // nullptr: nobody in particular
  std::string answer_;
};

}  // namespace magneto::server::client
