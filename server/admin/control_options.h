#pragma once

#include <chrono>
#include <string>

#include "api/isolation.h"
#include "api/profile.h"
#include "server/http/auth/auth_mode.h"

namespace magneto::server::admin {

// The settings of control, fixed at the server's start.
struct ControlOptions {
  std::string token;
  bool token_is_random = true;  // false: a user chose it
  http::AuthMode auth = http::AuthMode::kShape;
  api::Profile profile = api::Profile::kAws;
  api::Isolation isolation = api::Isolation::kNone;
  bool is_durable = false;
  bool shares_store = false;  // with other servers
  bool speaks_tls = false;
  bool has_page = false;  // GET /_/ shows the data browser
};

}  // namespace magneto::server::admin
