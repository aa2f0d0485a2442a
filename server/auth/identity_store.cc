#include "server/auth/identity_store.h"

#include "api/access/policy_error.h"
#include "server/auth/messages.h"

namespace magneto::server {
namespace {

using api::access::Identities;

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

}  // namespace

IdentityStore::IdentityStore(const std::string& file, const Warn& warn)
    : file_(file,
            {.read = [file] { return read_file(file); },
             .parse = [file](const WholeFile& whole) { return parse(whole.text, file); },
             .kept = [warn](std::string_view why) { warn(messages::kept_identities(why)); }}) {}

}  // namespace magneto::server
