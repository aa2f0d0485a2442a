#include "server/feeds/delivery/messages.h"

#include <fmt/format.h>

namespace magneto::server::feeds::messages {

std::string cannot_deliver(std::string_view table_arn, std::string_view stream_arn,
                           std::string_view why, double seconds) {
  return fmt::format("changes of {} cannot be sent to {} and wait, the oldest for {:.0f} s: {}",
                     table_arn, stream_arn, seconds, why);
}

std::string delivers_again(std::string_view table_arn, std::string_view stream_arn,
                           double seconds) {
  return fmt::format("changes of {} are sent to {} again, after {:.0f} s", table_arn, stream_arn,
                     seconds);
}

std::string stream_not_usable(std::string_view table_arn, std::string_view stream_arn,
                              std::string_view why) {
  return fmt::format("changes of {} will not be sent to {}, which cannot be used: {}", table_arn,
                     stream_arn, why);
}

std::string records_too_old(std::string_view table_arn, std::string_view stream_arn) {
  return fmt::format(
      "changes of {} that were not sent to {} within a day are lost to it; those of the last day follow",
      table_arn, stream_arn);
}

std::string record_refused(std::string_view table_arn, std::string_view stream_arn,
                           std::size_t bytes, std::string_view why) {
  return fmt::format("a change of {} is left out, since {} does not take a record of {} bytes: {}",
                     table_arn, stream_arn, bytes, why);
}

std::string closed_line_dropped(std::string_view table_arn, std::string_view stream_arn) {
  return fmt::format(
      "changes of {} that waited for {} when that was disabled are left out: too many disabled destinations wait",
      table_arn, stream_arn);
}

std::string closed_stream_gone(std::string_view table_arn, std::string_view stream_arn) {
  return fmt::format(
      "changes of {} that waited for {} when that was disabled are left out: there is no such stream",
      table_arn, stream_arn);
}

std::string delivery_failed(std::string_view why) {
  return fmt::format("changes of tables cannot be read to be sent, and are tried again: {}", why);
}

std::string unwritable_position(std::string_view path, std::string_view why) {
  return fmt::format(
      "how far changes were sent cannot be kept in {}, so a restart would send some again: {}",
      path, why);
}

std::string no_kinesis_url(std::string_view text) {
  return fmt::format("--kinesis-endpoint {} is no URL as http://localhost:4567", text);
}

std::string no_kinesis_answer(std::string_view endpoint) {
  return fmt::format("what {} answered is no answer of Kinesis", endpoint);
}

std::string record_not_taken(std::string_view code, std::string_view message) {
  return fmt::format("{} ({})", code.empty() ? "no SequenceNumber" : code, message);
}

std::string stream_not_active(std::string_view status) {
  return fmt::format("the stream is {}", status);
}

}  // namespace magneto::server::feeds::messages
