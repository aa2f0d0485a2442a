#pragma once

#include <string>
#include <string_view>

// What users and clients are told of HTTPS. `why`: what OpenSSL or the system says.
namespace magneto::server::http::messages {

// Files that will not do. `flag`: the one that names the file.
std::string unreadable_pem(std::string_view flag, std::string_view path, std::string_view why);
std::string no_certificate(std::string_view path);
std::string damaged_certificate(std::string_view path, std::string_view why);
std::string key_with_passphrase(std::string_view path);
std::string no_private_key(std::string_view path, std::string_view why);
std::string mismatched_pair(std::string_view certificate, std::string_view key);
std::string refused_pair(std::string_view why);
std::string no_self_signed(std::string_view why);
std::string file_in_place_of_authority(std::string_view path);
std::string unwritten_authority(std::string_view path, std::string_view why);

// Warnings.
std::string expired_certificate(std::string_view path);
std::string early_certificate(std::string_view path);
std::string open_private_key(std::string_view path, unsigned mode);
std::string kept_certificate(std::string_view problem);
std::string failed_handshake(std::string_view why);
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
std::string trust(std::string_view path);

}  // namespace magneto::server::http::messages
