#include "server/http/tls/tls_context.h"

#include <openssl/ssl.h>

#include <string_view>

#include "server/http/tls/messages.h"
#include "server/http/tls/tls_identity.h"
#include "server/system/start_error.h"

namespace magneto::server::http {
namespace {

constexpr long kTicketSeconds = 2 * 60 * 60;

// RFC 7301, 3.2: the server sends an alert if it speaks none of the client's protocols.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  // Each protocol follows its length.
  static constexpr std::string_view kSpoken = "\x08http/1.1\x08http/1.0";
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, reinterpret_cast<const unsigned char*>(kSpoken.data()),
                            kSpoken.size(), offered, offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

[[noreturn]] void fail_context() {
  throw system::StartError(messages::kRefusedPair(system::take_openssl_error()));
}

void show(SSL_CTX* context, const TlsIdentity& identity) {
  if (SSL_CTX_use_certificate(context, identity.chain.front().get()) != 1) fail_context();
  for (std::size_t i = 1; i < identity.chain.size(); ++i) {
    if (SSL_CTX_add1_chain_cert(context, identity.chain[i].get()) != 1) fail_context();
  }
  if (SSL_CTX_use_PrivateKey(context, identity.key.get()) != 1) fail_context();
}

}  // namespace

TlsContext make_context(const TlsIdentity& identity) {
  OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, nullptr);
  ERR_clear_error();
  TlsContext context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  SSL_CTX* const used = context.get();
  if (used == nullptr) fail_context();
  SSL_CTX_set_min_proto_version(used, TLS1_2_VERSION);
  SSL_CTX_set_options(used, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
  // An idle connection keeps no buffers of 34 KB.
  SSL_CTX_set_mode(used, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(used, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_timeout(used, kTicketSeconds);
  SSL_CTX_set_num_tickets(used, 1);
  SSL_CTX_set_alpn_select_cb(used, choose_protocol, nullptr);
  if (SSL_CTX_set_cipher_list(used, "ECDHE+AESGCM:ECDHE+CHACHA20") != 1 ||
      SSL_CTX_set_ciphersuites(used,
                               "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:"
                               "TLS_CHACHA20_POLY1305_SHA256") != 1 ||
      SSL_CTX_set1_groups_list(used, "X25519:P-256:P-384") != 1) {
    fail_context();
  }
  show(used, identity);
  return context;
}

}  // namespace magneto::server::http
