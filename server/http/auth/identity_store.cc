#include "server/http/auth/identity_store.h"

#include <set>
#include <utility>
#include <vector>

#include "api/access/policy_error.h"
#include "server/http/auth/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::http {
namespace {

using api::access::Identities;

constexpr std::size_t kMostShown = 5;
constexpr std::size_t kLongestWarning = 4'096;

system::WholeFile read_file(const std::string& file) {
  try {
    return system::read_whole_file(file, Identities::kMaxFileBytes >> 20);
  } catch (const system::UnreadableFile& error) {
    throw IdentityFileError(messages::kCannotReadIdentities(file, error.what()));
  }
}

std::shared_ptr<const Identities> parse(const std::string& text, const std::string& file) {
  try {
    return Identities::read(text);
  } catch (const api::access::PolicyError& error) {
    throw IdentityFileError(messages::kWrongIdentities(file, error.what()));
  }
}

std::string described(const Identities::Unmatched& entry) {
  const api::access::Identity& identity = *entry.identity;
  return entry.access_key.empty()
             ? messages::identity_of_account(identity.name, identity.is_role, identity.account)
             : messages::kIdentityOfKey(identity.name, entry.access_key);
}

// Warns of the entries with `sentence`, one of the sentences in messages.h.
template <typename Sentence>
void warn_of(const std::vector<Identities::Unmatched>& entries, Sentence sentence,
             const std::string& file, const IdentityStore::Warn& warn) {
  if (entries.empty()) return;
  std::vector<std::string> shown;
  for (const Identities::Unmatched& entry : entries) {
    if (shown.size() == kMostShown) break;
    shown.push_back(described(entry));
  }
  warn(system::sanitize_for_log(sentence(file, shown, entries.size() - shown.size()),
                                kLongestWarning));
}

std::vector<api::access::CallerName> callers_of(const client::CredentialSet& keys) {
  std::vector<api::access::CallerName> callers;
  for (const auto& [access_key, credential] : keys.by_access_key) {
    callers.push_back({access_key, credential.principal_arn, credential.account});
  }
  return callers;
}

// Entries of `before` whose callers have no entry in `now`. Each is listed once, or once for each
// of its access keys.
std::vector<Identities::Unmatched> lost_entries(
    const Identities& before, const Identities& now,
    const std::vector<api::access::CallerName>& callers) {
  std::vector<Identities::Unmatched> lost;
  std::set<const api::access::Identity*> by_name;
  for (const api::access::CallerName& caller : callers) {
    const api::access::Identity* const entry = before.find(caller);
    if (entry == nullptr || now.find(caller) != nullptr) continue;
    if (!entry->access_keys.empty()) {
      lost.push_back({entry, caller.access_key});
    } else if (by_name.insert(entry).second) {
      lost.push_back({entry, {}});
    }
  }
  return lost;
}

// Parses the file at the start and after each change.
class Parser {
 public:
  Parser(std::string file, IdentityStore::CurrentKeys keys, IdentityStore::Warn warn)
      : file_(std::move(file)), keys_(std::move(keys)), warn_(std::move(warn)) {}

  std::shared_ptr<const Identities> operator()(const system::WholeFile& whole) {
    auto identities = parse(whole.text, file_);
    const std::shared_ptr<const client::CredentialSet> keys = keys_();
    const std::vector<api::access::CallerName> callers = callers_of(*keys);
    warn_of(identities->unmatched(callers), messages::identities_of_nobody, file_, warn_);
    if (before_ != nullptr) {
      const auto lost = lost_entries(*before_, *identities, callers);
      warn_of(lost, messages::lost_identities, file_, warn_);
    }
    before_ = identities;
    return identities;
  }

 private:
  const std::string file_;
  const IdentityStore::CurrentKeys keys_;
  const IdentityStore::Warn warn_;
  std::shared_ptr<const Identities> before_;  // nullptr before the first read
};

}  // namespace

IdentityStore::IdentityStore(const std::string& file, const CurrentKeys& keys, const Warn& warn)
    : file_(file,
            {.read = [file] { return read_file(file); },
             .parse = Parser(file, keys, warn),
             .kept = [warn](std::string_view why) { warn(messages::kKeptIdentities(why)); }}) {}

}  // namespace magneto::server::http
