#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What the log tells of deliveries.
namespace magneto::server::feeds::messages {

inline constexpr std::string_view kNothingIsSent =
    "a Kinesis streaming destination is kept and described, but nothing is sent to it: the server has no --kinesis-endpoint";
// `seconds`: how old the first record is that waits.
std::string cannot_deliver(std::string_view table_arn, std::string_view stream_arn,
                           std::string_view why, double seconds);
std::string delivers_again(std::string_view table_arn, std::string_view stream_arn, double seconds);
std::string stream_not_usable(std::string_view table_arn, std::string_view stream_arn,
                              std::string_view why);
std::string records_too_old(std::string_view table_arn, std::string_view stream_arn);
std::string record_refused(std::string_view table_arn, std::string_view stream_arn,
                           std::size_t bytes, std::string_view why);
// Of a destination that is disabled.
std::string closed_line_dropped(std::string_view table_arn, std::string_view stream_arn);
std::string closed_stream_gone(std::string_view table_arn, std::string_view stream_arn);
std::string delivery_failed(std::string_view why);

std::string unwritable_position(std::string_view path, std::string_view why);

std::string no_kinesis_url(std::string_view text);

// Why something was not taken.
std::string no_kinesis_answer(std::string_view endpoint);
std::string record_not_taken(std::string_view code, std::string_view message);
std::string stream_not_active(std::string_view status);

}  // namespace magneto::server::feeds::messages
