#pragma once

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace magneto::server::system {

template <auto kFree>
struct OpensslDeleter {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};

using Certificate = std::unique_ptr<X509, OpensslDeleter<X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, OpensslDeleter<EVP_PKEY_free>>;
using OpensslBio = std::unique_ptr<BIO, OpensslDeleter<BIO_free_all>>;

// The machine's openssl.cnf is another's. To be called before all else of OpenSSL, which reads it
// when first used.
inline void ignore_openssl_configuration() {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
}

// What the thread's last call of OpenSSL had against it, in OpenSSL's words; empties its list.
inline std::string take_openssl_error() {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  std::string text = reason != nullptr ? reason : "unknown error";
  ERR_clear_error();
  return text;
}

}  // namespace magneto::server::system
