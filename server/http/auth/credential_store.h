#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/client/signing/credentials.h"
#include "server/http/auth/credential_file.h"
#include "server/system/watched_file.h"

namespace magneto::server::http {

// The keys of a credentials file: those of its current content or, if that is unusable, of the last
// usable one. Thread-safe.
class CredentialStore {
 public:
  using Warn = std::function<void(std::string_view sentence)>;

  // Throws CredentialFileError.
  CredentialStore(const std::string& file, const Warn& warn);

  // The keys in use now. The returned set does not change when the file does.
  std::shared_ptr<const client::CredentialSet> current() const { return file_.current(); }

 private:
  bool warned_of_mode_ = false;
  system::WatchedFile<client::CredentialSet> file_;  // the last member: its thread uses the others
};

}  // namespace magneto::server::http
