#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "api/namespaces/namespaces.h"
#include "server/admin/control_options.h"
#include "server/http/access_rules.h"
#include "server/http/auth/signature_verifier.h"
#include "server/http/listen_socket.h"
#include "server/main/config.h"
#include "server/main/memory_limits.h"
#include "storage/table/memory_budget.h"

namespace magneto::server::admin::mcp {
class AgentServer;
}  // namespace magneto::server::admin::mcp

namespace magneto::server::feeds {
class EventSources;
}  // namespace magneto::server::feeds

namespace magneto::server::http {
class TlsCredentials;
}  // namespace magneto::server::http

namespace magneto::server::main {

// Accepts connections and serves them with one event loop for each I/O thread.
class Server {
 public:
  // `config`, `memory`, `namespaces`, `verifier` and `tls` must outlive the server. `verifier` is
  // for AuthMode::kVerify, otherwise nullptr. `tls` is nullptr for plain HTTP. `control` is nullopt
  // for a server without control interface. `room` is the budget for data in memory, over all
  // namespaces.
  Server(const Config& config, const MemoryPlan& memory, api::Namespaces& namespaces,
         storage::MemoryBudget& room, http::AccessRules access,
         const http::SignatureVerifier* verifier = nullptr, http::TlsCredentials* tls = nullptr,
         std::optional<admin::ControlOptions> control = std::nullopt);
  ~Server();

  // /metrics shows the event sources, and they receive the amount of free memory. Call this before
  // start(); they must outlive the server.
  void attach(feeds::EventSources& event_sources);
  // Begins to accept connections at `socket`, and takes its descriptors. Throws StartError.
  void start(http::ListenSocket& socket);
  // Serves until SIGTERM, SIGINT or a stop of `end`, then gives open requests
  // SessionOptions::drain_timeout to finish.
  void run(const std::stop_token& end = {});
  // Ends run(), as SIGTERM does. Called from any thread, while the server exists.
  void stop();
  // The server of agents; only with `control`.
  const admin::mcp::AgentServer& agents() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace magneto::server::main
