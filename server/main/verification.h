#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "api/authorization/authorizer.h"
#include "server/http/auth/credential_store.h"
#include "server/http/auth/identity_store.h"
#include "server/http/auth/signature_verifier.h"
#include "server/main/config.h"

namespace magneto::server::main {

// For --auth verify: the keys, the verifier of signatures, and the permissions of the keys' owners.
struct Verification {
  using Warn = std::function<void(std::string_view)>;

  // `warn` receives a sentence for each file that changed and cannot be read. Throws if a file
  // cannot be read at the start.
  Verification(const Config& config, const Warn& warn);

  http::CredentialStore credentials;
  std::optional<http::IdentityStore> identities;  // nullopt: no identities are configured
  http::SignatureVerifier verifier;
  api::Authorizer authorizer;
};

// nullptr if signatures are not verified.
std::unique_ptr<Verification> make_verification(const Config& config,
                                                const Verification::Warn& warn);

}  // namespace magneto::server::main
