#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What the server writes to its log while it runs. `why`: what the system or the failed call says.
namespace magneto::server::system::messages {

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

}  // namespace magneto::server::system::messages
