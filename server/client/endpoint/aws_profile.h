#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace magneto::server::client {

// Where no keys or region can be had: a sentence for the user, which says what to do.
class ProfileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Who signs, and for which region; each part empty when none was found.
struct AwsProfile {
  std::string access_key;
  std::string secret_key;
  std::string session_token;
  std::string region;
};

// The value of a variable of the environment; nullopt when it is not set or empty.
using Environment = std::function<std::optional<std::string>(const char* name)>;
Environment process_environment();

// Keys and region as AWS's tools find them (AWS SDKs and Tools Reference Guide, "Standardized
// credential providers"): AWS_ACCESS_KEY_ID and its kin, unless `profile` is given; else the
// profile of that name, of AWS_PROFILE or "default", in ~/.aws/credentials and ~/.aws/config
// (AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE). The region: AWS_REGION, AWS_DEFAULT_REGION, then
// the profile's. Throws ProfileError for a profile that is named and not there, a file that cannot
// be read as such, keys without their other half, and what needs another program or service to get
// keys (credential_process, roles, SSO, web identity), which is refused by name.
AwsProfile find_aws_profile(std::string_view profile, const Environment& environment);

}  // namespace magneto::server::client
