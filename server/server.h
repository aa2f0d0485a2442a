#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "api/namespaces/namespaces.h"
#include "server/access_rules.h"
#include "server/auth/signature_verifier.h"
#include "server/config.h"
#include "server/control/control_options.h"
#include "server/event_sources/event_source_statistics.h"
#include "server/listen_socket.h"
#include "server/memory_limits.h"

namespace magneto::server {

class TlsCredentials;

// Accepts connections and serves them with one event loop for each I/O thread.
class Server {
 public:
  // `config`, `memory`, `namespaces`, `verifier` and `tls` must outlive the server. `verifier` is
  // for AuthMode::kVerify, else nullptr; `tls`: nullptr for plain HTTP; `control`: nullopt: there is
  // none; `room`: for data in memory, of all namespaces.
  Server(const Config& config, const MemoryPlan& memory, api::Namespaces& namespaces,
         api::DataRoom& room, AccessRules access, const SignatureVerifier* verifier = nullptr,
         TlsCredentials* tls = nullptr, std::optional<ControlOptions> control = std::nullopt);
  ~Server();

  // What /metrics shows of event source mappings; called from any thread. Before start().
  void show_event_sources(std::function<std::vector<EventSourceStatistics>()> statistics);
  // Connections are accepted from now on. Throws StartError.
  void start(ListenSocket socket);
  // Serves until SIGTERM or SIGINT, then lets open requests finish for Config::drain_timeout.
  void run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace magneto::server
