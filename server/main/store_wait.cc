#include "server/main/store_wait.h"

#include <string>
#include <utility>

#include "server/main/start_messages.h"
#include "server/main/store_access.h"
#include "server/system/log.h"
#include "server/system/service_notification.h"

namespace magneto::server::main {

StoreWait::StoreWait(const Config& config, const MemoryPlan& memory, http::AccessOptions access,
                     http::TlsCredentials* tls, http::ListenSocket& socket,
                     const std::stop_token& end)
    : config_(config),
      memory_(memory),
      access_(std::move(access)),
      tls_(tls),
      socket_(socket),
      on_end_(end, [this] { stop_.request_stop(); }) {}

StoreWait::~StoreWait() = default;

std::unique_ptr<storage::Databases> StoreWait::open(storage::DatabaseOptions& options,
                                                    storage::Clock& clock) {
  options.store = store_options(config_, advertised_address(config_, socket_));
  if (options.store) {
    options.store->stop = stop_.get_token();
    options.store->on_wait = [this](std::string_view holder) { begin_or_go_on(holder); };
  }
  std::unique_ptr<storage::Databases> databases;
  try {
    databases = storage::Databases::open(options, clock);
  } catch (...) {
    if (stop_.stop_requested()) return nullptr;
    throw;
  }
  if (standby_) {
    standby_->end();
    system::log(system::LogLevel::kWarning, messages::kTakenOver);
  }
  return databases;
}

void StoreWait::begin_or_go_on(std::string_view holder) {
  if (!standby_) {
    nothing_ = storage::Databases::open(storage::DatabaseOptions{}, clock_);
    service_.emplace(*nothing_, api::ServiceOptions{.log = {}, .report_elsewhere = {}});
    standby_.emplace(Standby::Options{.config = config_,
                                      .memory = memory_,
                                      .service = *service_,
                                      .access = http::AccessRules(access_),
                                      .tls = tls_,
                                      .own_address = advertised_address(config_, socket_),
                                      .on_signal = [this] { stop_.request_stop(); }},
                     socket_);
    system::notify_service_manager("READY=1");
  }
  const bool relays = standby_->set_active(holder);
  system::log(system::LogLevel::kWarning,
              messages::waits_for_store(holder, socket_.address(), relays));
}

}  // namespace magneto::server::main
