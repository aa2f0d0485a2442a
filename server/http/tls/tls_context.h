#pragma once

#include <memory>

struct ssl_ctx_st;

namespace magneto::server::http {

struct TlsIdentity;

// OpenSSL's SSL_CTX: how TLS is spoken, as whom, and the keys of session tickets. Thread-safe.
using TlsContext = std::shared_ptr<ssl_ctx_st>;

// Makes a context for TLS 1.2 and 1.3, only with ephemeral keys and authenticated ciphers, and for
// HTTP/1.1 by ALPN. It refuses renegotiation and stores no sessions: tickets carry them. Throws
// StartError if OpenSSL considers the key too weak.
TlsContext make_context(const TlsIdentity& identity);

}  // namespace magneto::server::http
