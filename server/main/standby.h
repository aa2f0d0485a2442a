#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/service.h"
#include "server/http/access_rules.h"
#include "server/http/listen_socket.h"
#include "server/main/config.h"
#include "server/main/memory_limits.h"

namespace magneto::server::http {
class TlsCredentials;
}  // namespace magneto::server::http

namespace magneto::server::main {

// Stands in for the server while the process waits for its store. Listens at the server's address,
// refuses requests and names the active server; with --relay, passes connections on to that server.
// Has a thread of its own.
class Standby {
 public:
  struct Options {
    const Config& config;
    const MemoryPlan& memory;
    api::Service& service;  // of an empty store; answers nothing
    http::AccessRules access;
    http::TlsCredentials* tls;        // nullptr for plain HTTP
    std::string own_address;          // as other servers see it in the store
    std::function<void()> on_signal;  // called on the thread, at SIGTERM and SIGINT
  };

  // Begins to listen; takes the descriptors of `socket`, which must outlive this object. What
  // `options` refers to must outlive it too. Throws StartError.
  Standby(Options options, http::ListenSocket& socket);
  ~Standby();

  // `address`: of the server that holds the store, as it gives it. Returns whether connections are
  // passed on to it.
  bool set_active(std::string_view address);
  // Gives the descriptors back to the socket, which goes on to listen. Open requests get their
  // answers; connections that are passed on are closed.
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace magneto::server::main
