#include "server/feeds/event_sources/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::feeds::messages {

std::string unreadable_mapping_file(std::string_view file, std::string_view why) {
  return fmt::format("the file of event source mappings {} (--event-sources) cannot be read: {}",
                     file, why);
}

std::string wrong_mapping_file(std::string_view file, std::string_view what) {
  return fmt::format("the file of event source mappings {} (--event-sources) cannot be used: {}",
                     file, what);
}

std::string at_member(std::string_view place, std::string_view what) {
  return place.empty() ? std::string(what) : fmt::format("{}: {}", place, what);
}

std::string unknown_member(std::string_view nearest, std::span<const std::string> known) {
  if (!nearest.empty()) return fmt::format("unknown member; did you mean {}?", nearest);
  return fmt::format("unknown member; there is {}", fmt::join(known, ", "));
}

std::string member_of(std::string_view place, std::string_view member) {
  return fmt::format("{}.{}", place, member);
}

std::string element_of(std::string_view place, std::size_t number) {
  return fmt::format("{}[{}]", place, number);
}

std::string no_whole_number(std::int64_t least, std::int64_t most) {
  return fmt::format("it is no whole number from {} to {}", least, most);
}

std::string pattern_no_object(std::string_view place) {
  return place.empty() ? std::string("the pattern is no object")
                       : fmt::format("the pattern has something else than objects in {}", place);
}

std::string pattern_empty(std::string_view place) {
  return place.empty() ? std::string("the pattern is empty")
                       : fmt::format("the pattern is empty at {}", place);
}

std::string pattern_twice(std::string_view place, std::string_view member) {
  return place.empty() ? fmt::format("the pattern has {} twice", member)
                       : fmt::format("the pattern has {} twice in {}", member, place);
}

std::string pattern_no_list(std::string_view place) {
  return fmt::format("the pattern has neither an object nor a list at {}", place);
}

std::string pattern_no_value(std::string_view place) {
  return fmt::format(
      "the pattern's list at {} holds something else than texts, numbers, true, false, null and comparisons",
      place);
}

std::string pattern_comparison(std::string_view place) {
  return fmt::format("a comparison in the pattern's list at {} has not exactly one member", place);
}

std::string pattern_unknown(std::string_view place, std::string_view name) {
  return fmt::format("the pattern has an unknown comparison {} at {}", name, place);
}

std::string pattern_wrong_operand(std::string_view name) {
  return fmt::format("the pattern's comparison {} has a wrong operand", name);
}

std::string unwritable_failures(std::string_view path, std::string_view why) {
  return fmt::format("records that functions do not take cannot be written to {}: {}", path, why);
}

std::string cannot_invoke(std::string_view function, std::string_view source, std::string_view why,
                          double seconds) {
  return fmt::format("function {} does not take records of {}, the oldest waits for {:.0f} s: {}",
                     function, source, seconds, why);
}

std::string invokes_again(std::string_view function, std::string_view source, double seconds) {
  return fmt::format("function {} takes records of {} again, after {:.0f} s", function, source,
                     seconds);
}

std::string records_left_out(std::string_view function, std::string_view source, std::size_t count,
                             std::string_view condition, std::string_view first,
                             std::string_view last) {
  return fmt::format("function {} does not get {} of {} ({}), from {} to {}", function,
                     system::counted(count, "record"), source, condition, first, last);
}

std::string cannot_keep_failure(std::string_view destination, std::string_view function,
                                std::string_view why) {
  return fmt::format("{} does not take what function {} did not, so that waits: {}", destination,
                     function, why);
}

std::string source_records_too_old(std::string_view function, std::string_view source) {
  return fmt::format(
      "records of {} that function {} did not take within a day are lost to it; those of the last day follow",
      source, function);
}

std::string source_unreadable(std::string_view function, std::string_view why) {
  return fmt::format("records for function {} cannot be read, and are tried again: {}", function,
                     why);
}

std::string no_source(std::string_view function, std::string_view source) {
  return fmt::format("function '{}' gets nothing until there is a stream of '{}'", function,
                     source);
}

std::string walk_failed(std::string_view why) {
  return fmt::format("streams for functions cannot be found, and are looked for again: {}", why);
}

std::string function_error(std::string_view kind, std::string_view answer) {
  return fmt::format("the function failed ({}): {}", kind, answer);
}

std::string invocation_status(int status, std::string_view answer) {
  return fmt::format("the endpoint answered {}: {}", status, answer);
}

std::string function_timed_out(std::chrono::seconds limit) {
  return fmt::format("the function did not answer within {} s", limit.count());
}

}  // namespace magneto::server::feeds::messages
