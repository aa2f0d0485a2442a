#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "server/http/page_handler.h"

namespace magneto::server::admin {

// The answers of a server that waits for its store, but for those about its health: it refuses every
// operation, and names the active server. Thread-safe.
class WaitingPages final : public http::PageHandler {
 public:
  explicit WaitingPages(bool has_metrics) : has_metrics_(has_metrics) {}

  // `address`: of the server that holds the store.
  void set_active(std::string_view address);
  std::string active() const;

  bool owns(std::string_view path) const override;
  void answer(std::string_view request_id, const http::AccessRules& access,
              http::HttpRequest& request, http::HttpResponse& response) const override;

 private:
  const bool has_metrics_;
  mutable std::mutex mutex_;  // guards active_
  std::string active_;
};

}  // namespace magneto::server::admin
