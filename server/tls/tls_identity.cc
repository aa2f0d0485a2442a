#include "server/tls/tls_identity.h"

#include <openssl/pem.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "server/listen_socket.h"
#include "server/tls/messages.h"

namespace magneto::server {
namespace {

constexpr std::size_t kMaxFileBytes = 1 << 20;

std::string read_file(const std::string& path, const char* flag) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxFileBytes + 1, '\0');
  errno = 0;
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  // Of a folder only the reading fails.
  if (!file.is_open() || file.bad() || errno == EISDIR) {
    throw StartError(messages::unreadable_pem(flag, path, std::strerror(errno)));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxFileBytes) {
    throw StartError(messages::too_long_pem(flag, path));
  }
  return text;
}

OpensslBio bio_of(const std::string& text) {
  OpensslBio bio(BIO_new(BIO_s_mem()));
  std::size_t written = 0;
  BIO_write_ex(bio.get(), text.data(), text.size(), &written);
  return bio;
}

std::vector<Certificate> parse_chain(const std::string& path) {
  const std::string text = read_file(path, "--tls-cert");
  const OpensslBio bio = bio_of(text);
  std::vector<Certificate> chain;
  ERR_clear_error();
  while (X509* const next = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    chain.emplace_back(next);
  }
  if (chain.empty()) {
    ERR_clear_error();
    throw StartError(messages::no_certificate(path));
  }
  if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) {
    throw StartError(messages::damaged_certificate(path, take_openssl_error()));
  }
  ERR_clear_error();
  return chain;
}

int note_passphrase_wanted(char*, int, int, void* wanted) {
  *static_cast<bool*>(wanted) = true;
  return -1;
}

PrivateKey parse_key(const std::string& path) {
  const std::string text = read_file(path, "--tls-key");
  bool has_passphrase = false;
  ERR_clear_error();
  PrivateKey key(PEM_read_bio_PrivateKey(bio_of(text).get(), nullptr, note_passphrase_wanted,
                                         &has_passphrase));
  if (key != nullptr) return key;
  if (has_passphrase) {
    throw StartError(messages::key_with_passphrase(path));
  }
  throw StartError(messages::no_private_key(path, take_openssl_error()));
}

}  // namespace

TlsIdentity load_identity(const TlsFiles& files) {
  TlsIdentity identity{parse_chain(files.certificate), parse_key(files.key)};
  if (X509_check_private_key(identity.chain.front().get(), identity.key.get()) != 1) {
    ERR_clear_error();
    throw StartError(messages::mismatched_pair(files.certificate, files.key));
  }
  return identity;
}

std::vector<std::string> doubts_about(const TlsIdentity& identity, const TlsFiles& files) {
  std::vector<std::string> doubts;
  const X509* const certificate = identity.chain.front().get();
  if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0) {
    doubts.push_back(messages::expired_certificate(files.certificate));
  } else if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) {
    doubts.push_back(messages::early_certificate(files.certificate));
  }
  struct stat status = {};
  if (::stat(files.key.c_str(), &status) == 0 && (status.st_mode & S_IROTH) != 0) {
    doubts.push_back(messages::open_private_key(files.key));
  }
  return doubts;
}

}  // namespace magneto::server
