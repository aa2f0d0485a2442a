#include "server/main/verification.h"

#include <chrono>

namespace magneto::server::main {

Verification::Verification(const Config& config, const Warn& warn)
    : credentials(config.credentials_file, warn),
      verifier([this] { return credentials.current(); },
               [] { return std::chrono::system_clock::now(); }),
      authorizer([this] { return identities ? identities->current() : nullptr; },
                 config.speaks_tls()) {
  if (config.iam_file.empty()) return;
  identities.emplace(
      config.iam_file, [this] { return credentials.current(); }, warn);
}

std::unique_ptr<Verification> make_verification(const Config& config,
                                                const Verification::Warn& warn) {
  return config.sessions.auth == http::AuthMode::kVerify
             ? std::make_unique<Verification>(config, warn)
             : nullptr;
}

}  // namespace magneto::server::main
