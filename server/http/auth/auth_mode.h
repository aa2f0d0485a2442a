#pragma once

#include <cstdint>

namespace magneto::server::http {

enum class AuthMode : std::uint8_t {
  kShape,   // credentials must be present; any are accepted
  kOff,     // none are needed
  kVerify,  // requests must be signed with a known key
};

}  // namespace magneto::server::http
