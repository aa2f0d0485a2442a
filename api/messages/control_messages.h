#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Errors in requests to control settings: fault rules, the journal, its assertions.
namespace magneto::api::messages {

// `where`: for example "the rule".
std::string not_an_object(std::string_view where);
// `known`: the names that exist.
std::string unknown_member(std::string_view name, std::string_view where,
                           std::span<const std::string_view> known);
std::string doubled_member(std::string_view name, std::string_view where);
std::string not_a_text(std::string_view name, std::size_t max_bytes);
std::string not_a_boolean(std::string_view name);
std::string not_a_number(std::string_view name, double least, double most);
std::string not_a_whole_number(std::string_view name, std::int64_t least, std::int64_t most);
std::string not_a_duration(std::string_view name, std::chrono::nanoseconds most);
std::string not_a_list(std::string_view name, std::size_t most);

// Messages about fault rules.
inline constexpr std::string_view kNoFault =
    "A rule needs the member 'fault', which says what goes wrong.";
inline constexpr std::string_view kOneFault =
    "Exactly one of error, latency, drop, unprocessed and truncate is expected in 'fault'.";
std::string unknown_operation(std::string_view name);
std::string unknown_error(std::string_view name);
std::string too_many_rules(std::size_t most);
inline constexpr std::string_view kNoMemoryForRule =
    "Fault rules, journals and insights of all namespaces have used their memory: delete rules, clear journals, or start the server with a larger --memory-limit-mb.";
std::string long_rule(std::size_t most);
std::string no_rule(std::string_view id);
std::string not_of_operation(std::string_view fault, std::string_view operation);
std::string not_with_error(std::string_view member, std::string_view error);
std::string only_with_error(std::string_view member);
std::string unknown_reason(std::string_view reason);
inline constexpr std::string_view kLatencyBounds =
    "'latency' must be a duration, or an object of 'min' and 'max', or of 'p50' and 'p99'.";
inline constexpr std::string_view kWrongDrop = "'drop' must be \"before\" or \"after\".";
inline constexpr std::string_view kMinAboveMax = "'min' is more than 'max' in 'latency'.";
inline constexpr std::string_view kMedianAboveTail =
    "'p50' must be more than nothing and at most 'p99' in 'latency'.";
inline constexpr std::string_view kKeyWithoutAttributes =
    "'key' must name one attribute at least, with a pattern each.";

// Messages about the journal.
std::string too_many_waiters(std::size_t most);

// Messages about assertions, and their failures.
inline constexpr std::string_view kOneAssertion =
    "Exactly one assertion is expected in each member of 'assertions', like {\"no_scan\": true}.";
std::string only_true(std::string_view name);
std::string records_dropped(std::uint64_t count);
std::string has_scanned(std::string_view operation, std::string_view table);
// `status`: 0 if no complete answer was sent.
std::string has_failed(std::string_view operation, std::string_view error, int status);
std::string too_many_units(double units, double most);
std::string too_many_writes(std::string_view key, std::string_view table, std::size_t count,
                            std::int64_t most);
// `operation`: empty for any operation.
std::string too_many_calls(std::string_view operation, std::size_t count, std::int64_t most);
std::string reads_too_much(std::string_view operation, std::string_view table, std::int64_t read,
                           std::int64_t returned);
std::string used_other_table(std::string_view table);
std::string n_plus_one(std::string_view operation, std::string_view table, std::size_t keys);

// Messages of injected errors, as AWS words them (AWS API reference, "CancellationReason", Common
// Errors).
inline constexpr std::string_view kRateExceeded = "Rate exceeded";
inline constexpr std::string_view kInvalidValues = "One or more parameter values were invalid.";
// For errors whose own message depends on the request.
inline constexpr std::string_view kInjected = "A fault rule lets this request fail.";
inline constexpr std::string_view kUnavailable =
    "The request has failed due to a temporary failure of the server.";

}  // namespace magneto::api::messages
