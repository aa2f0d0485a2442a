#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What the server itself says: to who starts it, to clients beside the protocol, and in its log.
// `why`: what the system or the failed call says.
namespace magneto::server::messages {

// Answers in plain text.
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
inline constexpr std::string_view kIsStopping = "the server is stopping";
// The blank at its end is DynamoDB's (captured facts, error wire format).
std::string healthy(std::string_view region);
// DynamoDB Local 3.1.0 on GET /.
inline constexpr std::string_view kNoCall =
    "Request must contain either a valid (registered) AWS access key ID or X.509 certificate.";

// Of operations.
std::string unknown_namespace(std::string_view name);
std::string namespace_gone(std::string_view name);

// Start. `port` on `host` is the address.
std::string port_in_use(std::uint16_t port, std::string_view host);
std::string port_denied(std::uint16_t port, std::string_view host);
std::string not_an_address(std::string_view host);
std::string cannot_listen(std::uint16_t port, std::string_view host, std::string_view why);
std::string unknown_host(std::string_view host, std::string_view why);
std::string access_log_failed(std::string_view path, std::string_view why);
std::string port_file_failed(std::string_view path, std::string_view why);
inline constexpr const char* kNoThread = "cannot start a thread";
inline constexpr const char* kNoRandomBytes = "cannot get random bytes";
std::string reachable(std::string_view address);
std::string reachable_metrics(std::string_view address);
// The line that says it is ready; `address` is a URL; empty `directory`: in memory; `tables`: what
// there is to say of --schema.
std::string ready(std::string_view version, std::string_view address, std::string_view directory,
                  bool sync_writes, std::string_view tables);

// The log.
std::string fault(std::string_view operation, std::string_view request_id, std::string_view why);
std::string repeated(std::string_view message, std::uint64_t left_out);
std::string no_connection_now(std::string_view why);
std::string connection_fault(std::string_view why);
std::string event_loop_fault(std::string_view why);
std::string no_io_thread(std::string_view why);
std::string no_worker_thread(std::string_view why);
std::string no_memory_watch(std::string_view why);
std::string no_clock_watch(std::string_view why);
inline constexpr std::string_view kNoMemoryLimit =
    "cannot read /proc/self/statm: no memory limit is kept";
std::string hung_up(std::size_t clients);
std::string writes_refused(std::uint64_t megabytes, std::uint64_t limit);
std::string writes_taken(std::uint64_t megabytes, std::uint64_t limit);
std::string access_log_stays(std::string_view path, std::string_view why);
std::string access_log_lost(std::string_view why);
std::string not_notified(std::string_view state, std::string_view why);
inline constexpr std::string_view kNotACall =
    "a POST is no call of DynamoDB: it needs Content-Type: application/x-amz-json-1.0 and X-Amz-Target: DynamoDB_20120810.<operation>";
inline constexpr std::string_view kShuttingDown = "stopping: open requests may finish";
inline constexpr std::string_view kRefusedClientGone =
    "a client beyond the connection limit was gone already";
inline constexpr std::string_view kPriorityStays = "the priority of a worker thread stays as it is";

}  // namespace magneto::server::messages
