#pragma once

#include <chrono>

#include "server/http/auth/auth_mode.h"

namespace magneto::server::http {

struct SessionOptions {
  AuthMode auth = AuthMode::kShape;
  std::chrono::milliseconds idle_timeout{120'000};    // between requests
  std::chrono::milliseconds request_timeout{60'000};  // for a request, and for taking a response
  std::chrono::milliseconds header_timeout{20'000};   // for the head of a request
  std::chrono::milliseconds drain_timeout{3'000};     // for open requests at the end
};

}  // namespace magneto::server::http
