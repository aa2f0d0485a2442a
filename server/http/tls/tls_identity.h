#pragma once

#include <string>
#include <vector>

#include "server/system/openssl_pointers.h"

namespace magneto::server::http {

// Where --tls-cert and --tls-key lie: PEM.
struct TlsFiles {
  std::string certificate;
  std::string key;
};

// What the server shows to its clients.
struct TlsIdentity {
  // The server's own first, then those that lead from it to an authority.
  std::vector<system::Certificate> chain;
  system::PrivateKey key;
  unsigned mode_of_key = 0;  // of its file, permissions: 0600
};

// Reads both files, of at most a megabyte each. Throws StartError, which names the file.
TlsIdentity load_identity(const TlsFiles& files);

// What is doubtful about it, though it will do: a sentence each.
std::vector<std::string> doubts_about(const TlsIdentity& identity, const TlsFiles& files);

}  // namespace magneto::server::http
