#include "server/feeds/event_sources/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::feeds::messages {

std::string at_member(std::string_view place, std::string_view what) {
  return place.empty() ? std::string(what) : fmt::format("{}: {}", place, what);
}

std::string unknown_member(std::string_view nearest, std::span<const std::string> known) {
  if (!nearest.empty()) return fmt::format("unknown member; did you mean {}?", nearest);
  return fmt::format("unknown member; there is {}", fmt::join(known, ", "));
}

std::string pattern_no_object(std::string_view place) {
  return place.empty() ? std::string("the pattern is not an object")
                       : fmt::format("the pattern has something other than objects in {}", place);
}

std::string pattern_empty(std::string_view place) {
  return place.empty() ? std::string("the pattern is empty")
                       : fmt::format("the pattern is empty at {}", place);
}

std::string pattern_twice(std::string_view place, std::string_view member) {
  return place.empty() ? fmt::format("the pattern has {} twice", member)
                       : fmt::format("the pattern has {} twice in {}", member, place);
}

std::string cannot_invoke(std::string_view function, std::string_view source, std::string_view why,
                          double seconds) {
  return fmt::format(
      "function {} does not accept records of {}; the oldest has waited for {:.0f} s: {}", function,
      source, seconds, why);
}

std::string invokes_again(std::string_view function, std::string_view source, double seconds) {
  return fmt::format("function {} accepts records of {} again, after {:.0f} s", function, source,
                     seconds);
}

std::string records_left_out(std::string_view function, std::string_view source, std::size_t count,
                             std::string_view condition, std::string_view first,
                             std::string_view last) {
  return fmt::format("function {} will not get {} of {} ({}), from {} to {}", function,
                     system::counted(count, "record"), source, condition, first, last);
}

}  // namespace magneto::server::feeds::messages
