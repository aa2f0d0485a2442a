#include "server/http/auth/credential_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <span>
#include <system_error>
#include <utility>
#include <variant>

#include "server/client/signing/authorization.h"
#include "server/client/signing/ini_file.h"
#include "server/http/auth/messages.h"
#include "server/system/descriptor.h"

namespace magneto::server::http {
namespace {

constexpr std::string_view kAccessKey = "aws_access_key_id";
constexpr std::string_view kSecretKey = "aws_secret_access_key";
constexpr std::string_view kSessionToken = "aws_session_token";
constexpr std::string_view kExpiration = "aws_credential_expiration";
constexpr std::string_view kAccount = "aws_account_id";
constexpr std::string_view kPrincipal = "principal_arn";
constexpr std::size_t kMaxValueBytes = 4096;
constexpr std::string_view kUnknownAccount = "000000000000";

[[noreturn]] void fail(const std::string& file, std::size_t line, std::string_view problem) {
  throw CredentialFileError(messages::kAtLine(file, line, problem));
}

// Whether the text can stand in a header and has no character of the syntax of credentials or
// queries.
bool is_access_key(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::ranges::all_of(text, [](char c) {
    return c > ' ' && c < '\x7F' && std::string_view("/,;%&=").find(c) == std::string_view::npos;
  });
}

bool is_secret(std::string_view text) {
  return !text.empty() && text.size() <= kMaxValueBytes &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7F'; });
}

// "arn:aws:iam::123456789012:user/ana": the account is the fifth part.
std::string_view account_of(std::string_view arn) {
  if (!arn.starts_with("arn:")) return {};
  for (int i = 0; i < 4; ++i) {
    const std::size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return {};
    arn.remove_prefix(colon + 1);
  }
  const std::string_view account = arn.substr(0, arn.find(':'));
  const bool is_whole = account.size() + 1 < arn.size();
  return is_whole && client::is_account(account) ? account : std::string_view();
}

// Parses a time such as "2026-01-01T00:00:00Z", the format of AWS's tools.
std::optional<client::SignatureTime> parse_extended_time(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (text.size() != kForm.size()) return std::nullopt;
  std::string basic;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool is_mark = kForm[i] == '-' || kForm[i] == ':';
    if (is_mark && text[i] != kForm[i]) return std::nullopt;
    if (!is_mark) basic += text[i];
  }
  return client::parse_time(basic);
}

// The properties of one profile, by name.
class Profile {
 public:
  Profile(const client::IniSection& section, const std::string& file)
      : section_(section), file_(file) {
    constexpr std::string_view kKnown[] = {kAccessKey,  kSecretKey, kSessionToken,
                                           kExpiration, kAccount,   kPrincipal};
    for (const std::string_view name : kKnown) {
      const auto named = [&](const client::IniProperty& property) { return property.name == name; };
      if (std::ranges::count_if(section.properties, named) > 1) {
        fail(file, section.line, messages::kRepeatedProperty(section.name, name));
      }
    }
  }

  const client::IniProperty* find(std::string_view name) const {
    const auto found = std::ranges::find(section_.properties, name, &client::IniProperty::name);
    return found == section_.properties.end() ? nullptr : &*found;
  }

  // Empty if the property is missing.
  template <typename Check>
  std::string read(std::string_view name, const Check& check, std::string_view form) const {
    const client::IniProperty* const property = find(name);
    if (property == nullptr) return {};
    if (!check(std::string_view(property->value))) {
      fail(file_, property->line, messages::kWrongProperty(name, form));
    }
    return property->value;
  }

  void require(std::string_view name) const {
    if (find(name) == nullptr) {
      fail(file_, section_.line, messages::kMissingProperty(section_.name, name));
    }
  }

 private:
  const client::IniSection& section_;
  const std::string& file_;
};

std::string user_of_profile(const client::Credential& credential) {
  return "arn:aws:iam::" + credential.account + ":user/" + credential.profile;
}

// Finds the owner of the key: the configured account, the principal's account, or the access key
// itself if it is an account.
void read_owner(const Profile& profile, const std::string& file, client::Credential& credential) {
  credential.principal_arn = profile.read(
      kPrincipal, [](std::string_view text) { return !account_of(text).empty(); },
      "an ARN with an account, such as arn:aws:iam::123456789012:user/ana");
  credential.account = profile.read(kAccount, client::is_account, "twelve digits");
  const std::string_view of_principal = account_of(credential.principal_arn);
  if (credential.account.empty()) {
    credential.account = !of_principal.empty() ? of_principal
                         : client::is_account(credential.access_key)
                             ? std::string_view(credential.access_key)
                             : kUnknownAccount;
  } else if (!of_principal.empty() && of_principal != credential.account) {
    fail(file, profile.find(kPrincipal)->line, messages::kOtherAccount(kPrincipal, kAccount));
  }
  if (credential.principal_arn.empty()) credential.principal_arn = user_of_profile(credential);
}

client::Credential read_credential(const client::IniSection& section, const std::string& file) {
  constexpr std::string_view kPrefix = "profile ";
  const Profile profile(section, file);
  profile.require(kAccessKey);
  profile.require(kSecretKey);
  client::Credential credential;
  credential.line = section.line;
  credential.profile = section.name;
  if (credential.profile.starts_with(kPrefix)) credential.profile.erase(0, kPrefix.size());
  credential.access_key = profile.read(kAccessKey, is_access_key,
                                       "up to 128 printable characters other than / , ; % & =");
  constexpr std::string_view kSecretForm = "printable characters without blanks";
  credential.secret_key = profile.read(kSecretKey, is_secret, kSecretForm);
  credential.session_token = profile.read(kSessionToken, is_secret, kSecretForm);
  const std::string expiration = profile.read(
      kExpiration, [](std::string_view text) { return parse_extended_time(text).has_value(); },
      "a time such as 2026-01-01T00:00:00Z");
  credential.expiration = parse_extended_time(expiration);
  read_owner(profile, file, credential);
  return credential;
}

// Whether two profiles are the same credential under two names. Principals that are derived from
// the profile names do not make a difference.
bool is_same(const client::Credential& a, const client::Credential& b) {
  const bool is_same_principal =
      a.principal_arn == b.principal_arn ||
      (a.principal_arn == user_of_profile(a) && b.principal_arn == user_of_profile(b));
  return is_same_principal && a.secret_key == b.secret_key && a.session_token == b.session_token &&
         a.expiration == b.expiration && a.account == b.account;
}

void refuse_repeated_sections(std::span<const client::IniSection> sections,
                              const std::string& file) {
  std::map<std::string_view, std::size_t> lines;
  for (const client::IniSection& section : sections) {
    const auto [place, is_new] = lines.try_emplace(section.name, section.line);
    if (!is_new) fail(file, section.line, messages::kRepeatedSection(section.name, place->second));
  }
}

}  // namespace

std::shared_ptr<const client::CredentialSet> parse_credentials(std::string_view text,
                                                               const std::string& file) {
  const std::variant<std::vector<client::IniSection>, client::IniFault> parsed =
      client::read_ini(text);
  if (const auto* fault = std::get_if<client::IniFault>(&parsed))
    fail(file, fault->line, fault->problem);
  const auto& sections = std::get<std::vector<client::IniSection>>(parsed);
  refuse_repeated_sections(sections, file);
  auto set = std::make_shared<client::CredentialSet>();
  for (const client::IniSection& section : sections) {
    const bool has_key =
        std::ranges::any_of(section.properties, [](const client::IniProperty& property) {
          return property.name == kAccessKey || property.name == kSecretKey;
        });
    if (!has_key) continue;
    client::Credential credential = read_credential(section, file);
    const auto [place, is_new] = set->by_access_key.try_emplace(credential.access_key, credential);
    if (!is_new && !is_same(place->second, credential)) {
      fail(file, section.line,
           messages::kRepeatedAccessKey(place->second.profile, place->second.line));
    }
  }
  if (set->by_access_key.empty()) throw CredentialFileError(messages::kNoCredentials(file));
  return set;
}

system::WholeFile read_credential_file(const std::string& file) {
  try {
    return system::read_whole_file(file, kMaxCredentialFileMegabytes);
  } catch (const system::UnreadableFile& error) {
    throw CredentialFileError(messages::kCannotReadCredentials(file, error.what()));
  }
}

}  // namespace magneto::server::http
