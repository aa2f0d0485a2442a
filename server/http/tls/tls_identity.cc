#include "server/http/tls/tls_identity.h"

#include <openssl/pem.h>
#include <sys/stat.h>

#include <string_view>

#include "server/http/tls/messages.h"
#include "server/system/start_error.h"
#include "server/system/whole_file.h"

namespace magneto::server::http {
namespace {

constexpr std::size_t kMaxFileMegabytes = 1;

system::WholeFile read_pem(const std::string& path, std::string_view flag) {
  try {
    return system::read_whole_file(path, kMaxFileMegabytes);
  } catch (const system::UnreadableFile& error) {
    throw system::StartError(messages::kUnreadablePem(flag, path, error.what()));
  }
}

system::OpensslBio bio_of(const std::string& text) {
  system::OpensslBio bio(BIO_new(BIO_s_mem()));
  std::size_t written = 0;
  BIO_write_ex(bio.get(), text.data(), text.size(), &written);
  return bio;
}

std::vector<system::Certificate> parse_chain(const std::string& path) {
  const system::WholeFile file = read_pem(path, "--tls-cert");
  const system::OpensslBio bio = bio_of(file.text);
  std::vector<system::Certificate> chain;
  ERR_clear_error();
  while (X509* const next = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    chain.emplace_back(next);
  }
  if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) {
    throw system::StartError(messages::kDamagedCertificate(path, system::take_openssl_error()));
  }
  ERR_clear_error();
  if (chain.empty()) throw system::StartError(messages::kNoCertificate(path));
  return chain;
}

int note_passphrase_wanted(char*, int, int, void* wanted) {
  *static_cast<bool*>(wanted) = true;
  return -1;
}

system::PrivateKey parse_key(const std::string& path, unsigned& mode) {
  const system::WholeFile file = read_pem(path, "--tls-key");
  mode = file.mode;
  bool has_passphrase = false;
  ERR_clear_error();
  system::PrivateKey key(PEM_read_bio_PrivateKey(bio_of(file.text).get(), nullptr,
                                                 note_passphrase_wanted, &has_passphrase));
  if (key != nullptr) return key;
  if (has_passphrase) {
    throw system::StartError(messages::kKeyWithPassphrase(path));
  }
  throw system::StartError(messages::kNoPrivateKey(path, system::take_openssl_error()));
}

}  // namespace

TlsIdentity load_identity(const TlsFiles& files) {
  system::ignore_openssl_configuration();
  TlsIdentity identity;
  identity.chain = parse_chain(files.certificate);
  identity.key = parse_key(files.key, identity.mode_of_key);
  if (X509_check_private_key(identity.chain.front().get(), identity.key.get()) != 1) {
    ERR_clear_error();
    throw system::StartError(messages::kMismatchedPair(files.key, files.certificate));
  }
  return identity;
}

std::vector<std::string> doubts_about(const TlsIdentity& identity, const TlsFiles& files) {
  std::vector<std::string> doubts;
  const X509* const certificate = identity.chain.front().get();
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0) {
    doubts.push_back(messages::kExpiredCertificate(files.certificate));
  } else if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) {
    doubts.push_back(messages::kEarlyCertificate(files.certificate));
  }
  if ((identity.mode_of_key & (S_IRWXG | S_IRWXO)) != 0) {
    doubts.push_back(messages::open_private_key(files.key, identity.mode_of_key));
  }
  return doubts;
}

}  // namespace magneto::server::http
