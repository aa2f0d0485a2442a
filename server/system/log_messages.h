#pragma once

#include <string_view>

#include "server/system/sentence.h"

// What the server writes to its log while it runs. `why`: what the system or the failed call says.
namespace magneto::server::system::messages {

inline constexpr Sentence<3> kFault{"fault in {operation} (request {request_id}): {why}"};
inline constexpr Sentence<2> kRepeated{"{message} (and {left_out} others left out before)"};
inline constexpr Sentence<1> kNoConnectionNow{"cannot accept a connection now: {why}"};
inline constexpr Sentence<1> kConnectionFault{"connection ended by a fault: {why}"};
inline constexpr Sentence<1> kEventLoopFault{"event loop: {why}"};
inline constexpr Sentence<1> kNoIoThread{"no further I/O thread: {why}"};
inline constexpr Sentence<1> kNoWorkerThread{"no further worker thread: {why}"};
inline constexpr Sentence<1> kNoMemoryWatch{"no thread to watch memory: {why}"};
inline constexpr Sentence<1> kNoClockWatch{"steps of the system's clock are noticed late: {why}"};
inline constexpr std::string_view kNoMemoryLimit =
    "cannot read /proc/self/statm: no memory limit is kept";
// `clients`: "1 slow client".
inline constexpr Sentence<1> kHungUp{
    "hung up on {clients}: the memory for requests under way and for answers that are not taken is full"};
inline constexpr Sentence<2> kWritesRefused{
    "{megabytes} MB of the memory limit of {limit} MB are taken: writes that add data are refused"};
inline constexpr Sentence<2> kWritesTaken{
    "{megabytes} MB of the memory limit of {limit} MB are taken: writes are taken again"};
inline constexpr Sentence<2> kAccessLogStays{"cannot open the access log {path} anew: {why}"};
inline constexpr Sentence<1> kAccessLogLost{"lines of the access log were lost: {why}"};
inline constexpr Sentence<2> kNotNotified{"cannot tell the service manager {state}: {why}"};
inline constexpr std::string_view kNotACall =
    "a POST is no call of DynamoDB: it needs Content-Type: application/x-amz-json-1.0 and X-Amz-Target: DynamoDB_20120810.<operation>";
inline constexpr std::string_view kShuttingDown = "stopping: open requests may finish";
inline constexpr std::string_view kRefusedClientGone =
    "a client beyond the connection limit was gone already";
inline constexpr std::string_view kPriorityStays = "the priority of a worker thread stays as it is";

}  // namespace magneto::server::system::messages
