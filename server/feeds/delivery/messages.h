#pragma once

#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages in the log about deliveries.
namespace magneto::server::feeds::messages {

inline constexpr std::string_view kNothingIsSent =
    "a Kinesis streaming destination is stored and described, but no change is sent to it: the server runs without --kinesis-endpoint";
// `seconds`: the age of the first waiting record.
std::string cannot_deliver(std::string_view table_arn, std::string_view stream_arn,
                           std::string_view why, double seconds);
std::string delivers_again(std::string_view table_arn, std::string_view stream_arn, double seconds);
inline constexpr system::Sentence<3> kStreamNotUsable{
    "changes of {table_arn} will not be sent to {stream_arn}, which cannot be used: {why}"};
inline constexpr system::Sentence<2> kRecordsTooOld{
    "changes of {table_arn} that could not be sent to {stream_arn} within a day are dropped; the changes of the last day follow"};
inline constexpr system::Sentence<4> kRecordRefused{
    "a change of {table_arn} is dropped, because {stream_arn} does not accept a record of {bytes} bytes: {why}"};
// About a destination that is disabled.
inline constexpr system::Sentence<2> kClosedLineDropped{
    "changes of {table_arn} that waited for {stream_arn} when it was disabled are dropped: too many disabled destinations wait"};
inline constexpr system::Sentence<2> kClosedStreamGone{
    "changes of {table_arn} that waited for {stream_arn} when it was disabled are dropped: there is no such stream"};
inline constexpr system::Sentence<1> kDeliveryFailed{
    "cannot read the changes to send, and will try again: {why}"};

inline constexpr system::Sentence<1> kUnwritablePosition{
    "cannot save which changes were sent, so a restart would send some again: {why}"};
inline constexpr system::Sentence<1> kDamagedPosition{
    "the stored position {name} is damaged, so the changes of the last day are sent again; the receiver must ignore the changes that it has"};

inline constexpr system::Sentence<1> kNoKinesisUrl{
    "--kinesis-endpoint {text} is not a URL such as http://localhost:4567"};

// Reasons why a record was not taken.
inline constexpr system::Sentence<1> kNoKinesisAnswer{
    "{endpoint} does not answer as Kinesis would"};
std::string record_not_taken(std::string_view code, std::string_view message);
inline constexpr system::Sentence<1> kStreamNotActive{"the stream is {status}"};

}  // namespace magneto::server::feeds::messages
