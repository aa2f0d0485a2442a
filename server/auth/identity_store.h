#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>

#include "api/access/identities.h"
#include "server/file_watch.h"

namespace magneto::server {

// Why a file of identity policies cannot be used, with its name and the place in it.
class IdentityFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Users and roles with their policies, of the file that --iam names, read again within a second or
// two of a change. A changed file that cannot be used is warned of, and what was read before stays;
// one that cannot be read is tried again each second, with one warning. Thread-safe.
class IdentityStore {
 public:
  using Warn = std::function<void(std::string_view sentence)>;

  // Throws IdentityFileError.
  IdentityStore(std::string file, Warn warn);

  // What is in use now; stays as it is however the file changes.
  std::shared_ptr<const api::access::Identities> current() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }

 private:
  // False: the file cannot be read now.
  bool reload() noexcept;

  const std::string file_;
  const Warn warn_;
  bool warned_of_reading_ = false;
  mutable std::mutex mutex_;  // guards current_
  std::shared_ptr<const api::access::Identities> current_;
  FileWatch watch_;  // the last member: its thread uses the others
};

}  // namespace magneto::server
