#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "api/access/identities.h"
#include "server/client/signing/credentials.h"
#include "server/system/watched_file.h"

namespace magneto::server::http {

// Says why a file of identity policies cannot be used, with its name and the place in the file.
class IdentityFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The users and roles with their policies from the file that --iam names: those of its current
// content or, if that is unusable, of the last usable one. Thread-safe.
class IdentityStore {
 public:
  using Warn = std::function<void(std::string_view sentence)>;

  using CurrentKeys = std::function<std::shared_ptr<const client::CredentialSet>()>;

  // Each time the file is read, warns of entries that match no key: such a caller counts as an
  // administrator. After a change, also warns of entries that are gone from the file although their
  // keys still exist. Throws IdentityFileError.
  IdentityStore(const std::string& file, const CurrentKeys& keys, const Warn& warn);

  // The identities in use now. The returned set does not change when the file does.
  std::shared_ptr<const api::access::Identities> current() const { return file_.current(); }

 private:
  system::WatchedFile<api::access::Identities> file_;
};

}  // namespace magneto::server::http
