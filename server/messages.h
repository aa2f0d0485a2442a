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

// The command line. `flag` with its dashes; what a value must be goes behind the flag's name.
std::string usage_error(std::string_view command, std::string_view problem);
std::string of_flag(std::string_view flag, std::string_view variable, std::string_view problem);
std::string of_flag(std::string_view flag, std::string_view problem);  // one without a variable
inline constexpr const char* kEmptyValue = "is empty: give a value, or leave it out";
std::string not_a_number(std::uint64_t lowest, std::uint64_t highest, std::string_view given);
std::string not_a_quantity(double lowest, double highest, std::string_view given);
std::string not_one_of(std::string_view names, std::string_view given);
std::string not_a_list(std::string_view of_what, std::string_view given);
inline constexpr const char* kOrigins = "origins such as http://a.example:3000";
inline constexpr const char* kHosts = "names without a port";
std::string needs_value(std::string_view flag);
std::string given_twice(std::string_view flag);
std::string not_a_switch(std::string_view flag, std::string_view variable);
std::string not_a_switch(std::string_view flag);
// `nearest`: what was probably meant; empty: nothing comes near.
std::string unknown_argument(std::string_view argument, std::string_view nearest);
// `word` is a command that does not come first.
std::string misplaced_command(std::string_view word);
std::string missing_words(std::string_view type);
std::string unknown_command(std::string_view word, std::string_view nearest,
                            std::string_view names);
std::string unknown_variable(std::string_view name, std::string_view nearest);
std::string not_a_server_url(std::string_view given);
// What a health check found; `body` is the answer's.
std::string unhealthy(std::string_view url, int status, std::string_view body);
// What --help says of commands.
std::string command_line(std::string_view name, std::string_view purpose);
std::string commands_overview(std::string_view lines);
inline constexpr const char* kSyncWithoutDirectory =
    "--fsync needs a directory to write to: give one with --data-dir";
inline constexpr const char* kBudgetWithoutDirectory =
    "--memory-budget-mb is for caches of what lies on disk: give a directory with --data-dir";
inline constexpr const char* kDelayWithoutReplicas =
    "--replication-delay-ms is for replicas in other regions: they need --isolate region";
std::string no_page_folder(std::string_view path);
inline constexpr const char* kPageWithoutBrowser =
    "--ui-dir is the folder of the data browser, which --no-ui takes away: give one of them";
std::string no_objects_folder(std::string_view path);
inline constexpr const char* kObjectsAmongData =
    "--s3-dir and --data-dir must not lie in each other: clients name what is in the first";
inline constexpr const char* kVerifyWithoutKeys =
    "--auth verify needs keys: give a file of them with --credentials";
inline constexpr const char* kKeysWithoutVerify =
    "--credentials is for --auth verify: without it, any credentials will do";
inline constexpr const char* kIdentitiesWithoutVerify =
    "--iam is for --auth verify: without it, nobody knows who asks";
inline constexpr const char* kKeyOfSelfSigned =
    "--tls-self-signed makes a key of its own: leave --tls-key out";
inline constexpr const char* kCertificateWithoutKey =
    "--tls-cert needs its private key: give it with --tls-key";
inline constexpr const char* kKeyWithoutCertificate =
    "--tls-key needs its certificate: give it with --tls-cert";
inline constexpr const char* kParametersWithoutSchema =
    "--schema-parameter is for files: name them with --schema";
inline constexpr const char* kSchemaOfNobody =
    "--schema makes tables for no particular access key: it needs --isolate none or --isolate region";
std::string not_a_parameter(std::string_view given);
// DynamoDB Local's.
std::string no_folder(std::string_view path);
std::string unknown_local_option(std::string_view argument, std::string_view nearest);
inline constexpr const char* kFolderInMemory =
    "-dbPath and -inMemory cannot be set at the same time: leave one out";

// Start. `port` on `host` is the address.
std::string port_in_use(std::uint16_t port, std::string_view host);
std::string port_denied(std::uint16_t port, std::string_view host);
std::string not_an_address(std::string_view host);
std::string cannot_listen(std::uint16_t port, std::string_view host, std::string_view why);
std::string unknown_host(std::string_view host, std::string_view why);
std::string access_log_failed(std::string_view path, std::string_view why);
std::string port_file_failed(std::string_view path, std::string_view why);
// Why a file cannot be read.
inline constexpr const char* kNoRegularFile = "it is no regular file";
inline constexpr const char* kChangedFile = "it changed while it was read";
std::string too_large_file(std::size_t max_megabytes);
inline constexpr const char* kNoThread = "cannot start a thread";
inline constexpr const char* kNoRandomBytes = "cannot get random bytes";
std::string reachable(std::string_view address);
std::string reachable_metrics(std::string_view address);
// One line for the terminal: the error that ended it, or how an import goes on.
std::string line(std::string_view what);
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
