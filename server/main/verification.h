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

// The keys of --auth verify and what compares signatures with them, and what their owners may do.
struct Verification {
  using Warn = std::function<void(std::string_view)>;

  // `warn` gets a sentence for each file that changed and cannot be read. Throws for those of the start.
  Verification(const Config& config, const Warn& warn);

  http::CredentialStore credentials;
  std::optional<http::IdentityStore> identities;  // none: nobody is named
  http::SignatureVerifier verifier;
  api::Authorizer authorizer;
};

// nullptr: keys are not verified.
std::unique_ptr<Verification> make_verification(const Config& config,
                                                const Verification::Warn& warn);

}  // namespace magneto::server::main
