#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "server/client/signing/signature.h"
#include "server/client/signing/signing_key_cache.h"

namespace magneto::server::client {

// One access key, and its owner.
struct Credential {
  std::string access_key;
  std::string secret_key;
  std::string session_token;                // empty: the key has none
  std::optional<SignatureTime> expiration;  // the key is refused from then on
  std::string account;                      // twelve digits
  std::string principal_arn;
  std::string profile;   // the section of the file
  std::size_t line = 0;  // where that section begins
};

// All accepted keys, from one reading of the file.
struct CredentialSet {
  std::map<std::string, Credential, std::less<>> by_access_key;
  // Signing keys that were derived from these keys.
  mutable SigningKeyCache signing_keys;
};

}  // namespace magneto::server::client
