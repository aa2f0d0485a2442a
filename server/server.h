#pragma once

#include <memory>
#include <optional>

#include "api/namespaces/namespaces.h"
#include "server/access_rules.h"
#include "server/auth/signature_verifier.h"
#include "server/config.h"
#include "server/control/control_options.h"
#include "server/listen_socket.h"
#include "server/memory_limits.h"

namespace magneto::server {

class EventSources;
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

  // /metrics shows them, and they learn how much memory is left. Before start(); they must outlive the
  // server.
  void attach(EventSources& event_sources);
  // Connections are accepted from now on. Throws StartError.
  void start(ListenSocket socket);
  // Serves until SIGTERM or SIGINT, then lets open requests finish for Config::drain_timeout.
  void run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace magneto::server
