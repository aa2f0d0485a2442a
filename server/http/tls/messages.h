#pragma once

#include <string>
#include <string_view>

#include "server/system/sentence.h"

// What users and clients are told of HTTPS. `why`: what OpenSSL or the system says.
namespace magneto::server::http::messages {

// Files that will not do. `flag`: the one that names the file.
inline constexpr system::Sentence<3> kUnreadablePem{"cannot read {flag} {path}: {why}"};
inline constexpr system::Sentence<1> kNoCertificate{
    "--tls-cert {path} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)"};
inline constexpr system::Sentence<2> kDamagedCertificate{"--tls-cert {path} is damaged: {why}"};
inline constexpr system::Sentence<1> kKeyWithPassphrase{
    "--tls-key {path} has a passphrase, which nobody can be asked for; store the key without one: openssl pkey -in {path} -out <file>"};
inline constexpr system::Sentence<2> kNoPrivateKey{
    "--tls-key {path} holds no private key in PEM form: {why}"};
inline constexpr system::Sentence<2> kMismatchedPair{
    "--tls-key {key} is not the key of the first certificate in {certificate}"};
inline constexpr system::Sentence<1> kRefusedPair{
    "OpenSSL does not take the certificate or its key: {why}"};
inline constexpr system::Sentence<1> kNoSelfSigned{"cannot make a certificate: {why}"};
inline constexpr system::Sentence<1> kFileInPlaceOfAuthority{
    "with --tls-self-signed a certificate is made and written to --tls-cert {path}, where another file lies; name a new file"};
inline constexpr system::Sentence<2> kUnwrittenAuthority{"cannot write --tls-cert {path}: {why}"};

// Warnings.
inline constexpr system::Sentence<1> kExpiredCertificate{
    "the certificate in {path} has expired: clients will refuse it"};
inline constexpr system::Sentence<1> kEarlyCertificate{
    "the certificate in {path} is not valid yet: clients will refuse it"};
std::string open_private_key(std::string_view path, unsigned mode);
inline constexpr system::Sentence<1> kKeptCertificate{
    "the former certificate stays in use: {problem}"};
inline constexpr system::Sentence<1> kFailedHandshake{"a TLS handshake failed: {why}"};
inline constexpr const char* kLongHandshake = "the client sends too much";
inline constexpr std::string_view kTlsToPlain =
    "a client speaks TLS to a server without: let it use http://, or start the server with --tls-cert and --tls-key, or --tls-self-signed";
inline constexpr std::string_view kPlainToTls =
    "a client without TLS came to a server with: let it use https://";

// For the client.
inline constexpr std::string_view kSpeaksTls = "This port speaks HTTPS: use https://\n";

// Before the line that says that a server with --tls-self-signed is ready.
inline constexpr std::string_view kNoTrust =
    "To let clients trust this server, start it with --tls-cert <file> too\n";
inline constexpr system::Sentence<1> kTrust{
    "To trust this server: AWS_CA_BUNDLE={path} NODE_EXTRA_CA_CERTS={path}\n"};

}  // namespace magneto::server::http::messages
