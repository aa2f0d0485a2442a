#pragma once

#include <string>
#include <vector>

#include "server/http/tls/tls_identity.h"

namespace magneto::server::http {

// An identity for tests, signed by its own authority. A client that trusts the authority accepts
// the identity, even a client that requires two different certificates. Both keys are P-256. The
// authority's key is discarded after it has signed; neither key is written to disk.
struct SelfSigned {
  TlsIdentity identity;
  std::string authority;  // its certificate, PEM
};

// Makes an identity for localhost, 127.0.0.1, ::1 and `names`, which may be addresses too. It is
// valid for 13 months. Throws StartError.
SelfSigned make_self_signed(const std::vector<std::string>& names);

// Writes the authority's certificate to a file for clients. Replaces only an earlier such
// certificate. Throws StartError.
void write_authority(const std::string& path, const std::string& authority);

}  // namespace magneto::server::http
