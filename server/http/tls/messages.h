#pragma once

#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Texts about HTTPS for users and clients. `why`: the text of OpenSSL or the system.
namespace magneto::server::http::messages {

// Files that will not do. `flag`: the one that names the file.
inline constexpr system::Sentence<3> kUnreadablePem{"cannot read {flag} {path}: {why}"};
inline constexpr system::Sentence<1> kNoCertificate{
    "--tls-cert {path} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)"};
inline constexpr system::Sentence<2> kDamagedCertificate{"--tls-cert {path} is damaged: {why}"};
inline constexpr system::Sentence<1> kKeyWithPassphrase{
    "--tls-key {path} has a passphrase, and the server cannot ask for it; store the key without one: openssl pkey -in {path} -out <file>"};
inline constexpr system::Sentence<2> kNoPrivateKey{
    "--tls-key {path} holds no private key in PEM form: {why}"};
inline constexpr system::Sentence<2> kMismatchedPair{
    "--tls-key {key} is not the key of the first certificate in {certificate}"};
inline constexpr system::Sentence<1> kRefusedPair{
    "OpenSSL does not accept the certificate or its key: {why}"};
inline constexpr system::Sentence<1> kNoSelfSigned{"cannot make a certificate: {why}"};
inline constexpr system::Sentence<1> kFileInPlaceOfAuthority{
    "--tls-self-signed writes a new certificate to --tls-cert {path}, but that file exists and is not such a certificate; name a new file"};
inline constexpr system::Sentence<2> kUnwrittenAuthority{"cannot write --tls-cert {path}: {why}"};

// Warnings.
inline constexpr system::Sentence<1> kExpiredCertificate{
    "the certificate in {path} has expired: clients will refuse it"};
inline constexpr system::Sentence<1> kEarlyCertificate{
    "the certificate in {path} is not valid yet: clients will refuse it"};
std::string open_private_key(std::string_view path, unsigned mode);
inline constexpr system::Sentence<1> kKeptCertificate{
    "the previous certificate stays in use: {problem}"};
inline constexpr system::Sentence<1> kFailedHandshake{"a TLS handshake failed: {why}"};
inline constexpr const char* kLongHandshake = "the client sends too many bytes";
inline constexpr std::string_view kTlsToPlain =
    "a client speaks TLS, but this server does not: use http:// in the client, or start the server with --tls-cert and --tls-key, or --tls-self-signed";
inline constexpr std::string_view kPlainToTls =
    "a client does not speak TLS, but this server does: use https:// in the client";

// For the client.
inline constexpr std::string_view kSpeaksTls = "This port speaks HTTPS: use https://\n";

// Precedes the line for a ready server with --tls-self-signed.
inline constexpr std::string_view kNoTrust =
    "So that clients can trust this server, start it with --tls-cert <file> as well\n";
inline constexpr system::Sentence<1> kTrust{
    "To trust this server: AWS_CA_BUNDLE={path} NODE_EXTRA_CA_CERTS={path}\n"};

}  // namespace magneto::server::http::messages
