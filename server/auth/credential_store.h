#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "server/auth/credential_file.h"
#include "server/auth/credentials.h"
#include "server/file_watch.h"

namespace magneto::server {

// The keys of a file of credentials, read again within a second or two of a change. A changed file
// that cannot be used is warned of, and the keys read before stay; one that cannot be read is tried
// again each second, with one warning. Thread-safe.
class CredentialStore {
 public:
  using Warn = std::function<void(std::string_view sentence)>;

  // Throws CredentialFileError.
  CredentialStore(std::string file, Warn warn);

  // What is in use now; stays as it is however the file changes.
  std::shared_ptr<const CredentialSet> current() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }

 private:
  std::shared_ptr<const CredentialSet> take(const WholeFile& file);
  // False: the file cannot be read now.
  bool reload() noexcept;

  const std::string file_;
  const Warn warn_;
  bool warned_of_mode_ = false;
  bool warned_of_reading_ = false;
  mutable std::mutex mutex_;  // guards current_
  std::shared_ptr<const CredentialSet> current_;
  FileWatch watch_;  // the last member: its thread uses the others
};

}  // namespace magneto::server
