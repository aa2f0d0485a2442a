#include "server/http/tls/self_signed.h"

#include <arpa/inet.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "server/http/tls/messages.h"
#include "server/system/public_file.h"
#include "server/system/start_error.h"
#include "server/system/whole_file.h"

namespace magneto::server::http {
namespace {

using AlternativeNames = std::unique_ptr<GENERAL_NAMES, system::OpensslDeleter<GENERAL_NAMES_free>>;

constexpr long kDay = 24 * 60 * 60;
constexpr long kDaysBefore = 1;  // for clocks that are late
constexpr long kDaysAfter = 397;
constexpr std::string_view kAuthorityName = "Magneto's authority for one run ";

void check(bool done) {
  if (!done) throw system::StartError(messages::kNoSelfSigned(system::take_openssl_error()));
}

std::string random_hex() {
  std::array<unsigned char, 8> bytes;
  check(RAND_bytes(bytes.data(), bytes.size()) == 1);
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

system::PrivateKey make_key() {
  system::PrivateKey key(EVP_EC_gen("P-256"));
  check(key != nullptr);
  return key;
}

// A certificate for `key` that is not signed yet. The serial number has 63 random bits.
system::Certificate make_certificate(const std::string& name, EVP_PKEY* key) {
  system::Certificate certificate(X509_new());
  check(certificate != nullptr);
  X509* const made = certificate.get();
  std::uint64_t serial = 0;
  check(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1);
  check(X509_set_version(made, X509_VERSION_3) == 1 &&
        ASN1_INTEGER_set_uint64(X509_get_serialNumber(made), serial >> 1 | 1) == 1 &&
        X509_gmtime_adj(X509_getm_notBefore(made), -kDaysBefore * kDay) != nullptr &&
        X509_gmtime_adj(X509_getm_notAfter(made), kDaysAfter * kDay) != nullptr &&
        X509_set_pubkey(made, key) == 1);
  X509_NAME* const subject = X509_get_subject_name(made);
  check(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                   reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1,
                                   0) == 1);
  return certificate;
}

void extend(X509* certificate, X509* issuer, int extension, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const made = X509V3_EXT_conf_nid(nullptr, &context, extension, value);
  check(made != nullptr);
  const int added = X509_add_ext(certificate, made, -1);
  X509_EXTENSION_free(made);
  check(added == 1);
}

bool is_address(const std::string& name) {
  std::array<unsigned char, sizeof(in6_addr)> address;
  return inet_pton(AF_INET, name.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, name.c_str(), address.data()) == 1;
}

void add_names(X509* certificate, std::vector<std::string> names) {
  names.insert(names.begin(), {"localhost", "127.0.0.1", "::1"});
  const AlternativeNames list(GENERAL_NAMES_new());
  check(list != nullptr);
  for (const std::string& name : names) {
    GENERAL_NAME* const made = a2i_GENERAL_NAME(
        nullptr, nullptr, nullptr, is_address(name) ? GEN_IPADD : GEN_DNS, name.c_str(), 0);
    check(made != nullptr && sk_GENERAL_NAME_push(list.get(), made) > 0);
  }
  check(X509_add1_ext_i2d(certificate, NID_subject_alt_name, list.get(), 0, X509V3_ADD_DEFAULT) ==
        1);
}

void sign(X509* certificate, X509* issuer, EVP_PKEY* key) {
  check(X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1);
  extend(certificate, issuer, NID_subject_key_identifier, "hash");
  extend(certificate, issuer, NID_authority_key_identifier, "keyid:always");
  check(X509_sign(certificate, key, EVP_sha256()) > 0);
}

std::string to_pem(X509* certificate) {
  const system::OpensslBio bio(BIO_new(BIO_s_mem()));
  check(PEM_write_bio_X509(bio.get(), certificate) == 1);
  std::string text(BIO_ctrl_pending(bio.get()), '\0');
  std::size_t size = 0;
  check(BIO_read_ex(bio.get(), text.data(), text.size(), &size) == 1);
  return text;
}

// Whether a file is one certificate of such an authority.
bool is_authority(const std::string& path) {
  std::string text;
  try {
    text = system::read_whole_file(path, 1).text;
  } catch (const system::UnreadableFile&) {
    return false;
  }
  const system::OpensslBio bio(BIO_new(BIO_s_mem()));
  std::size_t written = 0;
  BIO_write_ex(bio.get(), text.data(), text.size(), &written);
  const system::Certificate certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
  if (certificate == nullptr || to_pem(certificate.get()) != text) return false;
  std::array<char, 64> name{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name.data(),
                            name.size());
  return std::string_view(name.data()).starts_with(kAuthorityName);
}

}  // namespace

SelfSigned make_self_signed(const std::vector<std::string>& names) {
  system::ignore_openssl_configuration();
  ERR_clear_error();
  const system::PrivateKey authority_key = make_key();
  const system::Certificate authority =
      make_certificate(std::string(kAuthorityName) + random_hex(), authority_key.get());
  extend(authority.get(), authority.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  extend(authority.get(), authority.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  sign(authority.get(), authority.get(), authority_key.get());

  SelfSigned made{{{}, make_key(), 0}, to_pem(authority.get())};
  system::Certificate own = make_certificate("localhost", made.identity.key.get());
  extend(own.get(), authority.get(), NID_basic_constraints, "critical,CA:FALSE");
  extend(own.get(), authority.get(), NID_key_usage, "critical,digitalSignature");
  extend(own.get(), authority.get(), NID_ext_key_usage, "serverAuth");
  add_names(own.get(), names);
  sign(own.get(), authority.get(), authority_key.get());
  made.identity.chain.push_back(std::move(own));
  return made;
}

void write_authority(const std::string& path, const std::string& authority) {
  if (std::filesystem::exists(std::filesystem::status(path)) && !is_authority(path)) {
    throw system::StartError(messages::kFileInPlaceOfAuthority(path));
  }
  const int error = system::write_public_file(path, authority);
  if (error == 0) return;
  throw system::StartError(messages::kUnwrittenAuthority(path, std::strerror(error)));
}

}  // namespace magneto::server::http
