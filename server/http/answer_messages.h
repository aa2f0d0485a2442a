#pragma once

#include <string_view>

#include "server/system/sentence.h"

// Plain-text answers of the server outside the DynamoDB protocol, and its sentences about
// namespaces.
// `why`: the reason that the system or the failed call gives.
namespace magneto::server::http::messages {

inline constexpr std::string_view kForeignOrigin =
    "The page's origin is not allowed; --cors adds origins\n";
inline constexpr std::string_view kForeignHost =
    "Host is not a name of this server; --allowed-hosts adds names\n";
inline constexpr std::string_view kTooManyConnections = "Too many connections\n";
inline constexpr std::string_view kTooManyLargeRequests =
    "Too many large requests at the same time\n";
inline constexpr std::string_view kTooManyLongRequests =
    "Too many long requests at the same time\n";
inline constexpr std::string_view kStopping = "The server is stopping\n";
inline constexpr system::Sentence<1> kMalformedRequest{"Malformed HTTP request: {why}\n"};
inline constexpr std::string_view kReady = "ready\n";
inline constexpr system::Sentence<1> kNotReady{"not ready: {why}\n"};
inline constexpr std::string_view kPageFailed =
    "The page cannot be made; the server's log says why\n";
inline constexpr std::string_view kNoPageFile = "The page has no such file\n";
inline constexpr std::string_view kPageIsReadOnly = "Only GET and HEAD are allowed here\n";
// DynamoDB's answer ends with the same blank (captured facts, error wire format).
inline constexpr system::Sentence<1> kHealthy{"healthy: dynamodb.{region}.amazonaws.com "};
// DynamoDB Local 3.1.0 answers GET / with this.
inline constexpr std::string_view kNoCall =
    "Request must contain either a valid (registered) AWS access key ID or X.509 certificate.";

// Errors about the namespace that a request names.
inline constexpr system::Sentence<1> kUnknownNamespace{
    "X-Magneto-Namespace names no namespace: there is no '{name}'; POST /_/namespaces makes one"};
inline constexpr system::Sentence<1> kNamespaceGone{
    "The namespace '{name}' of this port was deleted"};

}  // namespace magneto::server::http::messages
