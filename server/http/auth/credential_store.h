#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/client/signing/credentials.h"
#include "server/http/auth/credential_file.h"
#include "server/system/watched_file.h"

namespace magneto::server::http {

// The keys of a file of credentials, as it is now or was when it could be used. Thread-safe.
class CredentialStore {
 public:
  using Warn = std::function<void(std::string_view sentence)>;

  // Throws CredentialFileError.
  CredentialStore(const std::string& file, const Warn& warn);

  // What is in use now; stays as it is however the file changes.
  std::shared_ptr<const client::CredentialSet> current() const { return file_.current(); }

 private:
  bool warned_of_mode_ = false;
  system::WatchedFile<client::CredentialSet> file_;  // the last member: its thread uses the other
};

}  // namespace magneto::server::http
