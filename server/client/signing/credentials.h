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

// One access key, and whose it is.
struct Credential {
  std::string access_key;
  std::string secret_key;
  std::string session_token;                // empty: none belongs to the key
  std::optional<SignatureTime> expiration;  // from then on the key is refused
  std::string account;                      // twelve digits
  std::string principal_arn;
  std::string profile;   // the section of the file
  std::size_t line = 0;  // where that section begins
};

// All keys that are let in, of one reading of the file.
struct CredentialSet {
  std::map<std::string, Credential, std::less<>> by_access_key;
  // What was derived of these keys.
  mutable SigningKeyCache signing_keys;
};

}  // namespace magneto::server::client
