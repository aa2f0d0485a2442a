#include "server/admin/namespace_ports.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "api/control_error.h"
#include "server/admin/messages.h"
#include "server/http/answer_messages.h"
#include "server/http/listen_socket.h"
#include "server/system/start_error.h"
#include "server/system/stop_messages.h"

namespace magneto::server::admin {

namespace asio = boost::asio;

NamespacePorts::~NamespacePorts() { stop(); }

std::string NamespacePorts::open(system::OwnPort port, std::uint16_t wanted) {
  const std::uint64_t number = port.number;
  const auto shared = std::make_shared<const system::OwnPort>(std::move(port));
  Opened made;
  std::vector<system::Descriptor> descriptors;
  try {
    http::ListenSocket socket(host_, wanted);
    made.address = socket.address();
    descriptors = socket.listen();
  } catch (const system::StartError& error) {
    throw api::ControlError(messages::kPortOfNamespaceFailed(error.what()), 409);
  }
  const std::lock_guard lock(mutex_);
  if (stopped_) throw api::ControlError(system::messages::kIsStopping, 503);
  if (opened_.size() >= kMost) throw api::ControlError(messages::kTooManyPorts(kMost), 507);
  for (system::Descriptor& descriptor : descriptors) {
    auto listener = std::make_shared<http::Listener>(
        context_, [this, shared](int connection) { on_connection_(connection, shared); });
    made.listeners.push_back(listener);
    // Clients may connect already: the system keeps them until they are accepted.
    asio::post(context_, [listener, descriptor = std::move(descriptor)]() mutable {
      listener->start(std::move(descriptor));
    });
  }
  std::string address = made.address;
  opened_.emplace(number, std::move(made));
  return address;
}

void NamespacePorts::close(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found = opened_.find(number);
  if (found == opened_.end()) return;
  end(std::move(found->second));
  opened_.erase(found);
}

void NamespacePorts::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (auto& [number, opened] : opened_) end(std::move(opened));
  opened_.clear();
}

// Only the listener's thread uses it. It lives until all its pending waits have ended.
void NamespacePorts::end(Opened opened) {
  for (std::shared_ptr<http::Listener>& listener : opened.listeners) {
    asio::post(context_, [this, listener = std::move(listener)]() mutable {
      listener->stop();
      asio::post(context_, [listener = std::move(listener)] {});
    });
  }
}

std::string NamespacePorts::address_of(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = opened_.find(number);
  return found == opened_.end() ? std::string() : found->second.address;
}

}  // namespace magneto::server::admin
