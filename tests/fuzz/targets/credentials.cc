// A file of credentials.
#include <string>

#include "server/http/auth/credential_file.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {

void fuzz_credentials(std::string_view input) {
  try {
    const auto set = server::http::parse_credentials(input, "keys");
    for (const auto& [key, credential] : set->by_access_key) {
      require_equal(key, credential.access_key, "a key is found under its name");
      require(!key.empty() && key.find_first_of("/,; %") == std::string::npos,
              "a key can stand in a credential", key);
      require(!credential.secret_key.empty(), "a key has a secret", key);
      require(credential.account.size() == 12, "a key has an account", credential.account);
      require(credential.principal_arn.find(credential.account) != std::string::npos,
              "a principal is of its account", credential.principal_arn);
    }
  } catch (const server::http::CredentialFileError& error) {
    require(std::string_view(error.what()).starts_with("keys"), "a fault names the file",
            error.what());
  }
}

}  // namespace magneto::fuzz
