#pragma once

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <new>
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

// A BIO that reads and writes with functions of BIO_meth_set_read_ex() and BIO_meth_set_write_ex(),
// which find `data` with BIO_get_data(). Throws std::bad_alloc.
template <auto kRead, auto kWrite>
BIO* make_bio(void* data) {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* const made = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "magneto");
    BIO_meth_set_read_ex(made, kRead);
    BIO_meth_set_write_ex(made, kWrite);
    BIO_meth_set_ctrl(
        made, [](BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1L : 0L; });
    return made;
  }();
  BIO* const bio = BIO_new(method);
  if (bio == nullptr) throw std::bad_alloc();
  BIO_set_data(bio, data);
  BIO_set_init(bio, 1);
  return bio;
}

// Ignores the machine's openssl.cnf, which belongs to other programs. Call this before any other
// use of OpenSSL, because the first use reads that file.
inline void ignore_openssl_configuration() {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
}

// The reason of the last failed call of OpenSSL on this thread, in OpenSSL's words. Clears the
// thread's error list.
inline std::string take_openssl_error() {
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  std::string text = reason != nullptr ? reason : "unknown error";
  ERR_clear_error();
  return text;
}

}  // namespace magneto::server::system
