#include "server/http/tls/messages.h"

#include <fmt/format.h>

namespace magneto::server::http::messages {

std::string unreadable_pem(std::string_view flag, std::string_view path, std::string_view why) {
  return fmt::format("cannot read {} {}: {}", flag, path, why);
}

std::string no_certificate(std::string_view path) {
  return fmt::format("--tls-cert {} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)",
                     path);
}

std::string damaged_certificate(std::string_view path, std::string_view why) {
  return fmt::format("--tls-cert {} is damaged: {}", path, why);
}

std::string key_with_passphrase(std::string_view path) {
  return fmt::format(
      "--tls-key {0} has a passphrase, which nobody can be asked for; store the key without one: openssl pkey -in {0} -out <file>",
      path);
}

std::string no_private_key(std::string_view path, std::string_view why) {
  return fmt::format("--tls-key {} holds no private key in PEM form: {}", path, why);
}

std::string mismatched_pair(std::string_view certificate, std::string_view key) {
  return fmt::format("--tls-key {} is not the key of the first certificate in {}", key,
                     certificate);
}

std::string refused_pair(std::string_view why) {
  return fmt::format("OpenSSL does not take the certificate or its key: {}", why);
}

std::string no_self_signed(std::string_view why) {
  return fmt::format("cannot make a certificate: {}", why);
}

std::string file_in_place_of_authority(std::string_view path) {
  return fmt::format(
      "with --tls-self-signed a certificate is made and written to --tls-cert {}, where another file lies; name a new file",
      path);
}

std::string unwritten_authority(std::string_view path, std::string_view why) {
  return fmt::format("cannot write --tls-cert {}: {}", path, why);
}

std::string expired_certificate(std::string_view path) {
  return fmt::format("the certificate in {} has expired: clients will refuse it", path);
}

std::string early_certificate(std::string_view path) {
  return fmt::format("the certificate in {} is not valid yet: clients will refuse it", path);
}

std::string open_private_key(std::string_view path, unsigned mode) {
  return fmt::format("the private key {0} is open to other users (mode {1:04o}): chmod 600 {0}",
                     path, mode);
}

std::string kept_certificate(std::string_view problem) {
  return fmt::format("the former certificate stays in use: {}", problem);
}

std::string failed_handshake(std::string_view why) {
  return fmt::format("a TLS handshake failed: {}", why);
}

std::string trust(std::string_view path) {
  return fmt::format("To trust this server: AWS_CA_BUNDLE={0} NODE_EXTRA_CA_CERTS={0}\n", path);
}

}  // namespace magneto::server::http::messages
