#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "api/service.h"
#include "server/http/access_rules.h"
#include "server/http/listen_socket.h"
#include "server/main/config.h"
#include "server/main/memory_limits.h"
#include "server/main/standby.h"
#include "storage/clock.h"
#include "storage/database_options.h"
#include "storage/databases.h"

namespace magneto::server::main {

// Opens the main databases. While another server holds their store, a Standby answers the clients.
class StoreWait {
 public:
  // `access`, of `socket`. The wait ends with `end`. What the parameters refer to must outlive this
  // object.
  StoreWait(const Config& config, const MemoryPlan& memory, http::AccessOptions access,
            http::TlsCredentials* tls, http::ListenSocket& socket, const std::stop_token& end);
  ~StoreWait();

  // Adds the store to `options`. Returns nullptr if the process was asked to end during the wait;
  // the socket cannot be used then. Throws as Databases::open() does.
  std::unique_ptr<storage::Databases> open(storage::DatabaseOptions& options,
                                           storage::Clock& clock);

 private:
  void begin_or_go_on(std::string_view holder);

  const Config& config_;
  const MemoryPlan& memory_;
  const http::AccessOptions access_;
  http::TlsCredentials* const tls_;
  http::ListenSocket& socket_;
  std::stop_source stop_;
  const std::stop_callback<std::function<void()>> on_end_;
  storage::Clock clock_;  // of nothing_
  std::unique_ptr<storage::Databases>
      nothing_;  // with service_: what a Standby needs, but never asks
  std::optional<api::Service> service_;
  std::optional<Standby> standby_;
};

}  // namespace magneto::server::main
