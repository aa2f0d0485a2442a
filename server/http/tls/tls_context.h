#pragma once

#include <memory>

struct ssl_ctx_st;

namespace magneto::server::http {

struct TlsIdentity;

// OpenSSL's SSL_CTX: how TLS is spoken, as whom, and the keys of session tickets. Thread-safe.
using TlsContext = std::shared_ptr<ssl_ctx_st>;

// TLS 1.2 and 1.3, with ephemeral keys and authenticated ciphers alone; HTTP/1.1 by ALPN; nothing is
// negotiated again, and no session is kept here: tickets carry them. Throws StartError when OpenSSL
// takes the key for too weak.
TlsContext make_context(const TlsIdentity& identity);

}  // namespace magneto::server::http
