#pragma once

#include <string>
#include <vector>

#include "server/http/tls/tls_identity.h"

namespace magneto::server::http {

// An identity for tests, signed by an authority of its own: clients that trust the one accept the
// other, also those that take no certificate for both. Both keys are P-256; that of the authority is
// thrown away once it has signed, and neither reaches a disk.
struct SelfSigned {
  TlsIdentity identity;
  std::string authority;  // its certificate, PEM
};

// For localhost, 127.0.0.1, ::1 and `names`, which may be addresses too. Valid for 13 months.
// Throws StartError.
SelfSigned make_self_signed(const std::vector<std::string>& names);

// Puts the authority's certificate where clients can read it; takes the place of an earlier one
// only, and of nothing else. Throws StartError.
void write_authority(const std::string& path, const std::string& authority);

}  // namespace magneto::server::http
