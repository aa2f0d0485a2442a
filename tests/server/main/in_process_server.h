#pragma once

#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "api/faults/fault_rule_json.h"
#include "api/faults/faults.h"
#include "api/journal/journal.h"
#include "api/namespaces/namespaces.h"
#include "api/service.h"
#include "server/http/access_rules.h"
#include "server/http/listen_socket.h"
#include "server/main/config.h"
#include "server/main/memory_limits.h"
#include "server/main/server.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "storage/table/memory_budget.h"

namespace magneto::server::main {

// A server in this process, on a port of its own choice. A test may change its settings. Only one
// at a time: a signal to the process ends it.
class InProcessServer {
 public:
  InProcessServer() : server_(config_, memory_, namespaces_, room_, http::AccessRules({})) {
    http::ListenSocket socket("127.0.0.1", 0);
    port_ = socket.port();
    server_.start(socket);
    thread_ = std::thread([this] { server_.run(); });
  }
  ~InProcessServer() { stop(); }
  InProcessServer(const InProcessServer&) = delete;
  InProcessServer& operator=(const InProcessServer&) = delete;

  // As a service manager does; returns when all has ended.
  void stop() {
    if (!thread_.joinable()) return;
    ::kill(::getpid(), SIGTERM);
    thread_.join();
  }

  std::uint16_t port() const { return port_; }
  api::Faults& faults() { return settings_->faults; }
  api::Journal& journal() { return settings_->journal; }

  void add_fault(std::string rule) {
    api::json::Document document;
    faults().add(api::read_fault_rule(document.parse(rule)->object()));
  }

 private:
  static Config make_config() {
    Config config;
    config.threads = 1;
    return config;
  }

  const Config config_ = make_config();
  const MemoryPlan memory_ = plan_memory(config_, std::uint64_t{1} << 30);
  const std::shared_ptr<api::ControlSettings> settings_ =
      std::make_shared<api::ControlSettings>("main");
  storage::MemoryBudget room_;
  api::Namespaces namespaces_{
      storage::Databases::open({}, settings_->clock),
      settings_,
      {.database = {}, .main_database = {}, .service = {.report_elsewhere = {}}}};
  Server server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace magneto::server::main
