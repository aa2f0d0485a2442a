#include "server/client/endpoint/aws_profile.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "server/client/endpoint/messages.h"
#include "server/client/signing/ini_file.h"

namespace magneto::server::client {
namespace {

constexpr std::size_t kMaxFileBytes = 1 << 20;
constexpr std::string_view kDefault = "default";

// The ways to get keys from other programs or services.
constexpr std::string_view kElsewhere[] = {"credential_process",      "sso_session",
                                           "sso_start_url",           "role_arn",
                                           "web_identity_token_file", "login_session"};
constexpr const char* kVariablesElsewhere[] = {"AWS_WEB_IDENTITY_TOKEN_FILE",
                                               "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                                               "AWS_CONTAINER_CREDENTIALS_FULL_URI"};

// Returns an empty list if the file does not exist.
std::vector<IniSection> read_sections(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return {};
  std::string text(kMaxFileBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw ProfileError(messages::kUnreadableProfileFile(path));
  if (text.size() > kMaxFileBytes) throw ProfileError(messages::kLongProfileFile(path));
  auto parsed = read_ini(text);
  if (const IniFault* fault = std::get_if<IniFault>(&parsed)) {
    throw ProfileError(messages::kProfileFileFault(path, fault->line, fault->problem));
  }
  return std::move(std::get<std::vector<IniSection>>(parsed));
}

// "[profile x]" of ~/.aws/config is "[x]" of ~/.aws/credentials.
std::string_view profile_of(std::string_view section) {
  constexpr std::string_view kProfile = "profile";
  if (!section.starts_with(kProfile)) return section;
  const std::size_t name = section.find_first_not_of(" \t", kProfile.size());
  if (name == kProfile.size() || name == std::string_view::npos) return section;
  return section.substr(name);
}

class Search {
 public:
  Search(std::string_view profile, const Environment& environment) : environment_(environment) {
    named_ = !profile.empty();
    profile_ = named_ ? std::string(profile) : environment("AWS_PROFILE").value_or("");
    named_or_set_ = !profile_.empty();
    if (!named_or_set_) profile_ = kDefault;
  }

  AwsProfile run() {
    const bool from_environment = !named_ && take_variables();
    read_profile(file("AWS_SHARED_CREDENTIALS_FILE", "credentials"), from_environment);
    read_profile(file("AWS_CONFIG_FILE", "config"), from_environment);
    if (!from_environment) finish_profile();
    if (auto region = environment_("AWS_REGION"))
      found_.region = *region;
    else if (auto other = environment_("AWS_DEFAULT_REGION"))
      found_.region = *other;
    return std::move(found_);
  }

 private:
  std::string file(const char* variable, const char* name) const {
    if (auto path = environment_(variable)) return *path;
    const auto home = environment_("HOME");
    return home ? *home + "/.aws/" + name : std::string();
  }

  bool take_variables() {
    const auto key = environment_("AWS_ACCESS_KEY_ID");
    const auto secret = environment_("AWS_SECRET_ACCESS_KEY");
    if (!key && !secret) return false;
    if (!key || !secret) {
      throw ProfileError(messages::kHalfAKey("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"));
    }
    found_.access_key = *key;
    found_.secret_key = *secret;
    found_.session_token = environment_("AWS_SESSION_TOKEN").value_or("");
    return true;
  }

  // The first file with a value wins.
  void read_profile(const std::string& path, bool region_only) {
    if (path.empty()) return;
    std::string token;
    bool has_key = false;
    for (const IniSection& section : read_sections(path)) {
      if (profile_of(section.name) != profile_) continue;
      seen_ = true;
      for (const IniProperty& property : section.properties) {
        if (property.name == "region" && found_.region.empty()) found_.region = property.value;
        if (region_only) continue;
        if (property.name == "aws_session_token") token = property.value;
        has_key |= take_key(property);
        for (const std::string_view way : kElsewhere) {
          if (property.name == way) elsewhere_ = way;
        }
      }
    }
    if (has_key) found_.session_token = token;
    if (!found_.secret_key.empty()) complete_ = true;
  }

  bool take_key(const IniProperty& property) {
    if (complete_) return false;
    if (property.name == "aws_access_key_id") {
      found_.access_key = property.value;
    } else if (property.name == "aws_secret_access_key") {
      found_.secret_key = property.value;
    } else {
      return false;
    }
    return true;
  }

  void finish_profile() const {
    if (!seen_ && named_or_set_) throw ProfileError(messages::kNoSuchProfile(profile_));
    if (found_.access_key.empty() != found_.secret_key.empty()) {
      throw ProfileError(messages::kHalfAKey("aws_access_key_id", "aws_secret_access_key"));
    }
    // A role is assumed even if the profile has keys too.
    if (!elsewhere_.empty() && (found_.access_key.empty() || elsewhere_ == "role_arn")) {
      throw ProfileError(messages::kKeysElsewhere(elsewhere_, profile_));
    }
    if (!found_.access_key.empty()) return;
    for (const char* const name : kVariablesElsewhere) {
      if (environment_(name)) throw ProfileError(messages::kKeysElsewhere(name, profile_));
    }
  }

  const Environment& environment_;
  std::string profile_;
  bool named_ = false;         // by the caller
  bool named_or_set_ = false;  // or by AWS_PROFILE
  bool seen_ = false;
  bool complete_ = false;
  std::string_view elsewhere_;
  AwsProfile found_;
};

}  // namespace

Environment process_environment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

AwsProfile find_aws_profile(std::string_view profile, const Environment& environment) {
  return Search(profile, environment).run();
}

}  // namespace magneto::server::client
