#pragma once

#include <string>
#include <string_view>

// Answers of the server beside the protocol, in plain text, and what it says of a namespace.
// `why`: what the system or the failed call says.
namespace magneto::server::http::messages {

inline constexpr std::string_view kForeignOrigin =
    "The page's origin is not one that is served; --cors adds origins\n";
inline constexpr std::string_view kForeignHost =
    "Host is not a name of this server; --allowed-hosts adds names\n";
inline constexpr std::string_view kTooManyConnections = "Too many connections\n";
inline constexpr std::string_view kTooManyLargeRequests = "Too many large requests at a time\n";
inline constexpr std::string_view kTooManyLongRequests = "Too many long requests at a time\n";
inline constexpr std::string_view kStopping = "The server is stopping\n";
std::string malformed_request(std::string_view why);
inline constexpr std::string_view kReady = "ready\n";
std::string not_ready(std::string_view why);
inline constexpr std::string_view kPageFailed =
    "The page cannot be made; the log of the server has the reason\n";
inline constexpr std::string_view kNoPageFile = "The page has no such file\n";
inline constexpr std::string_view kPageIsReadOnly = "This is for GET and HEAD\n";
// The blank at its end is DynamoDB's (captured facts, error wire format).
std::string healthy(std::string_view region);
// DynamoDB Local 3.1.0 on GET /.
inline constexpr std::string_view kNoCall =
    "Request must contain either a valid (registered) AWS access key ID or X.509 certificate.";

// Namespaces that a request names.
std::string unknown_namespace(std::string_view name);
std::string namespace_gone(std::string_view name);

}  // namespace magneto::server::http::messages
