#pragma once

#include <string>

#include "api/error.h"

namespace magneto::server::client {

// Why a request is refused before its operation is looked at.
struct AuthError {
  api::ErrorType type;
  std::string message;
};

}  // namespace magneto::server::client
