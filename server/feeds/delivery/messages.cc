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

std::string record_not_taken(std::string_view code, std::string_view message) {
  return fmt::format("{} ({})", code.empty() ? "no SequenceNumber" : code, message);
}

}  // namespace magneto::server::feeds::messages
