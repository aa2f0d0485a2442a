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

// Why a file of identity policies cannot be used, with its name and the place in it.
class IdentityFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Users and roles with their policies, of the file that --iam names, as it is now or was when it
// could be used. Thread-safe.
class IdentityStore {
 public:
  using Warn = std::function<void(std::string_view sentence)>;

  using CurrentKeys = std::function<std::shared_ptr<const client::CredentialSet>()>;

  // Warns, each time the file is read, of entries that no key belongs to: whoever is meant is an
  // administrator. Warns of entries that a changed file has no more, too, while their keys are there.
  // Throws IdentityFileError.
  IdentityStore(const std::string& file, const CurrentKeys& keys, const Warn& warn);

  // What is in use now; stays as it is however the file changes.
  std::shared_ptr<const api::access::Identities> current() const { return file_.current(); }

 private:
  system::WatchedFile<api::access::Identities> file_;
};

}  // namespace magneto::server::http
