#include "server/auth/credential_store.h"

#include <sys/stat.h>

#include <exception>
#include <utility>

#include "server/auth/messages.h"

namespace magneto::server {

CredentialStore::CredentialStore(std::string file, Warn warn)
    : file_(std::move(file)), warn_(std::move(warn)), watch_({file_}) {
  current_ = take(read_credential_file(file_));
  watch_.start([this] { return reload(); });
}

std::shared_ptr<const CredentialSet> CredentialStore::take(const WholeFile& file) {
  std::shared_ptr<const CredentialSet> set = parse_credentials(file.text, file_);
  const bool is_open = (file.mode & (S_IRWXG | S_IRWXO)) != 0;
  if (is_open && !warned_of_mode_) warn_(messages::open_credentials(file_, file.mode));
  warned_of_mode_ = is_open;
  return set;
}

bool CredentialStore::reload() noexcept {
  WholeFile file;
  try {
    file = read_credential_file(file_);
    warned_of_reading_ = false;
  } catch (const std::exception& error) {
    if (!warned_of_reading_) warn_(messages::kept_credentials(error.what()));
    warned_of_reading_ = true;
    return false;
  }
  try {
    std::shared_ptr<const CredentialSet> set = take(file);
    const std::lock_guard lock(mutex_);
    current_.swap(set);
  } catch (const std::exception& error) {
    warn_(messages::kept_credentials(error.what()));
  }
  return true;
}

}  // namespace magneto::server
