#pragma once

#include <string_view>

#include "server/system/sentence.h"

// The messages in the server's log while it runs. `why`: the reason that the system or the failed
// call gives.
namespace magneto::server::system::messages {

inline constexpr Sentence<3> kFault{"internal error in {operation} (request {request_id}): {why}"};
inline constexpr Sentence<2> kRepeated{"{message} ({left_out} more were not logged)"};
inline constexpr Sentence<1> kNoConnectionNow{"cannot accept a connection now: {why}"};
inline constexpr Sentence<1> kConnectionFault{
    "a connection ended because of an internal error: {why}"};
inline constexpr Sentence<1> kEventLoopFault{"event loop: {why}"};
inline constexpr Sentence<1> kNoIoThread{"cannot start another I/O thread: {why}"};
inline constexpr Sentence<1> kNoWorkerThread{"cannot start another worker thread: {why}"};
inline constexpr Sentence<1> kNoMemoryWatch{"cannot start the thread that watches memory: {why}"};
inline constexpr Sentence<1> kNoClockWatch{"changes of the system clock are noticed late: {why}"};
inline constexpr std::string_view kNoMemoryLimit =
    "cannot read /proc/self/statm, so no memory limit is enforced";
// `clients`: "1 slow client".
inline constexpr Sentence<1> kHungUp{
    "disconnected {clients}: the memory for requests in progress and for answers that clients have not read is full"};
inline constexpr Sentence<2> kWritesRefused{
    "{megabytes} MB of the memory limit of {limit} MB are in use: writes that add data are refused"};
inline constexpr Sentence<2> kWritesTaken{
    "{megabytes} MB of the memory limit of {limit} MB are in use: writes are accepted again"};
inline constexpr Sentence<2> kAccessLogStays{"cannot reopen the access log {path}: {why}"};
inline constexpr Sentence<1> kAccessLogLost{
    "some lines of the access log could not be written: {why}"};
inline constexpr Sentence<2> kNotNotified{"cannot report {state} to the service manager: {why}"};
inline constexpr std::string_view kNotACall =
    "a POST is not a DynamoDB request: it needs Content-Type: application/x-amz-json-1.0 and X-Amz-Target: DynamoDB_20120810.<operation>";
inline constexpr std::string_view kShuttingDown = "stopping: requests in progress may finish";
inline constexpr std::string_view kRefusedClientGone =
    "a client over the connection limit had already disconnected";
inline constexpr std::string_view kPriorityStays = "cannot change the priority of a worker thread";

}  // namespace magneto::server::system::messages
