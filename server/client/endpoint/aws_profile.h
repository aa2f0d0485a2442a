#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace magneto::server::client {

// Keys or a region cannot be found: a sentence for the user with the remedy.
class ProfileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The keys of the signer, and the region. A part is empty if it was not found.
struct AwsProfile {
  std::string access_key;
  std::string secret_key;
  std::string session_token;
  std::string region;
};

// Returns the value of an environment variable; nullopt if it is not set or empty.
using Environment = std::function<std::optional<std::string>(const char* name)>;
Environment process_environment();

// Finds keys and region like AWS's tools (AWS SDKs and Tools Reference Guide, "Standardized
// credential providers"). Unless `profile` is given, AWS_ACCESS_KEY_ID and its companions come
// first. Then comes the profile of that name, of AWS_PROFILE or "default", in ~/.aws/credentials
// and ~/.aws/config (AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE). The region is that of
// AWS_REGION, AWS_DEFAULT_REGION or else the profile.
//
// Throws ProfileError if a named profile does not exist, a file cannot be read, or a key lacks its
// other half. Also throws it, with the name of the way, if another program or service would have to
// deliver keys (credential_process, roles, SSO, web identity).
AwsProfile find_aws_profile(std::string_view profile, const Environment& environment);

}  // namespace magneto::server::client
