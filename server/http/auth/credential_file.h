#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "server/client/signing/credentials.h"
#include "server/system/whole_file.h"

namespace magneto::server::http {

// A larger file is not read.
inline constexpr std::size_t kMaxCredentialFileMegabytes = 1;

// Says why a credentials file cannot be used, with the file's name and, for an error in one line,
// the line number: "keys.ini:12: ...". The message never quotes the content of a line.
class CredentialFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads the keys from a text in the format of AWS's credentials files; server/http/auth/README.md
// lists the properties of a profile. Profiles without a key of their own are skipped. `file` is the
// name for error messages. Throws CredentialFileError, also if the text has no key or begins a
// profile twice.
std::shared_ptr<const client::CredentialSet> parse_credentials(std::string_view text,
                                                               const std::string& file);

// Reads a regular file completely. Throws CredentialFileError, also if the file changes during the
// read.
system::WholeFile read_credential_file(const std::string& file);

}  // namespace magneto::server::http
