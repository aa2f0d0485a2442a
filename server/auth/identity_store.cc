#include "server/auth/identity_store.h"

#include <vector>

#include "api/access/policy_error.h"
#include "server/auth/messages.h"
#include "server/objects/plain_text.h"

namespace magneto::server {
namespace {

using api::access::Identities;

constexpr std::size_t kMostShown = 5;
constexpr std::size_t kLongestWarning = 4'096;

WholeFile read_file(const std::string& file) {
  try {
    return read_whole_file(file, Identities::kMaxFileBytes >> 20);
  } catch (const UnreadableFile& error) {
    throw IdentityFileError(messages::cannot_read_identities(file, error.what()));
  }
}

std::shared_ptr<const Identities> parse(const std::string& text, const std::string& file) {
  try {
    return Identities::read(text);
  } catch (const api::access::PolicyError& error) {
    throw IdentityFileError(messages::wrong_identities(file, error.what()));
  }
}

std::string described(const Identities::Unmatched& entry) {
  const api::access::Identity& identity = *entry.identity;
  return entry.access_key.empty()
             ? messages::identity_of_account(identity.name, identity.is_role, identity.account)
             : messages::identity_of_key(identity.name, entry.access_key);
}

void warn_of_nobody(const Identities& identities, const CredentialSet& keys,
                    const std::string& file, const IdentityStore::Warn& warn) {
  std::vector<api::access::CallerName> callers;
  for (const auto& [access_key, credential] : keys.by_access_key) {
    callers.push_back({access_key, credential.principal_arn, credential.account});
  }
  const std::vector<Identities::Unmatched> unmatched = identities.unmatched(callers);
  if (unmatched.empty()) return;
  std::vector<std::string> shown;
  for (const Identities::Unmatched& entry : unmatched) {
    if (shown.size() == kMostShown) break;
    shown.push_back(described(entry));
  }
  warn(plain_text(messages::identities_of_nobody(file, shown, unmatched.size() - shown.size()),
                  kLongestWarning));
}

}  // namespace

IdentityStore::IdentityStore(const std::string& file, const CurrentKeys& keys, const Warn& warn)
    : file_(file,
            {.read = [file] { return read_file(file); },
             .parse =
                 [file, keys, warn](const WholeFile& whole) {
                   auto identities = parse(whole.text, file);
                   warn_of_nobody(*identities, *keys(), file, warn);
                   return identities;
                 },
             .kept = [warn](std::string_view why) { warn(messages::kept_identities(why)); }}) {}

}  // namespace magneto::server
