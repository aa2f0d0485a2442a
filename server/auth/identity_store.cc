#include "server/auth/identity_store.h"

#include <exception>
#include <utility>

#include "api/access/policy_error.h"
#include "server/auth/messages.h"
#include "server/whole_file.h"

namespace magneto::server {
namespace {

using api::access::Identities;

std::string read_text(const std::string& file) {
  try {
    return read_whole_file(file, Identities::kMaxFileBytes >> 20).text;
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

IdentityStore::IdentityStore(std::string file, Warn warn)
    : file_(std::move(file)), warn_(std::move(warn)), watch_({file_}) {
  current_ = parse(read_text(file_), file_);
  watch_.start([this] { return reload(); });
}

bool IdentityStore::reload() noexcept {
  std::string text;
  try {
    text = read_text(file_);
    warned_of_reading_ = false;
  } catch (const std::exception& error) {
    if (!warned_of_reading_) warn_(messages::kept_identities(error.what()));
    warned_of_reading_ = true;
    return false;
  }
  try {
    std::shared_ptr<const Identities> identities = parse(text, file_);
    const std::lock_guard lock(mutex_);
    current_.swap(identities);
  } catch (const std::exception& error) {
    warn_(messages::kept_identities(error.what()));
  }
  return true;
}

}  // namespace magneto::server
