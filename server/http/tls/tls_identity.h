#pragma once

#include <string>
#include <vector>

#include "server/system/openssl_pointers.h"

namespace magneto::server::http {

// The paths of --tls-cert and --tls-key. Both files are PEM.
struct TlsFiles {
  std::string certificate;
  std::string key;
};

// The certificates and the key that the server presents to its clients.
struct TlsIdentity {
  // The server's own certificate first, then those that lead to an authority.
  std::vector<system::Certificate> chain;
  system::PrivateKey key;
  unsigned mode_of_key = 0;  // the permissions of its file: 0600
};

// Reads both files, of at most a megabyte each. Throws StartError, which names the file.
TlsIdentity load_identity(const TlsFiles& files);

// Describes doubts about a usable identity, one sentence each.
std::vector<std::string> doubts_about(const TlsIdentity& identity, const TlsFiles& files);

}  // namespace magneto::server::http
