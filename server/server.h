#pragma once

#include <memory>

#include "api/service.h"
#include "server/access_rules.h"
#include "server/auth/signature_verifier.h"
#include "server/config.h"
#include "server/listen_socket.h"
#include "server/memory_limits.h"

namespace magneto::server {

class TlsCredentials;

// Accepts connections and serves them with one event loop for each I/O thread.
class Server {
 public:
  // `config`, `memory`, `service`, `verifier` and `tls` must outlive the server. `verifier` is for
  // AuthMode::kVerify, else nullptr; `tls`: nullptr for plain HTTP.
  Server(const Config& config, const MemoryPlan& memory, api::Service& service, AccessRules access,
         const SignatureVerifier* verifier = nullptr, TlsCredentials* tls = nullptr);
  ~Server();

  // Connections are accepted from now on. Throws StartError.
  void start(ListenSocket socket);
  // Serves until SIGTERM or SIGINT, then lets open requests finish for Config::drain_timeout.
  void run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace magneto::server
