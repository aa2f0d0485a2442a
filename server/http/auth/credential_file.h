#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "server/client/signing/credentials.h"
#include "server/system/whole_file.h"

namespace magneto::server::http {

// A file beyond this is not read.
inline constexpr std::size_t kMaxCredentialFileMegabytes = 1;

// Why a file of credentials cannot be used, with its name and, if it is about one, the line:
// "keys.ini:12: ...". Never with what a line holds.
class CredentialFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The keys of a text in the form of AWS's credentials files (server/http/auth/README.md has the
// properties of a profile); profiles without a key of their own are passed over. `file` is for
// errors. Throws CredentialFileError, also where there is no key, and where a profile begins twice.
std::shared_ptr<const client::CredentialSet> parse_credentials(std::string_view text,
                                                               const std::string& file);

// Reads a regular file whole. Throws CredentialFileError, also when it changes meanwhile.
system::WholeFile read_credential_file(const std::string& file);

}  // namespace magneto::server::http
