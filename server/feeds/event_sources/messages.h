#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// What users read of event source mappings: in their file, and in the log.
namespace magneto::server::feeds::messages {

// ---- the file ----------------------------------------------------------------------------------

std::string unreadable_mapping_file(std::string_view file, std::string_view why);
std::string wrong_mapping_file(std::string_view file, std::string_view what);
// "EventSourceMappings[0].BatchSize: ..."
std::string at_member(std::string_view place, std::string_view what);
std::string member_of(std::string_view place, std::string_view member);
std::string element_of(std::string_view place, std::size_t number);

inline constexpr std::string_view kNoJson = "it is no JSON";
inline constexpr std::string_view kNoObject = "it is no object";
inline constexpr std::string_view kNoList = "it is no list";
inline constexpr std::string_view kNoBoolean = "it is neither true nor false";
inline constexpr std::string_view kMissing = "it is missing";
inline constexpr std::string_view kTwice = "it is given twice";
// `nearest` may be empty; `known` are all members of the object.
std::string unknown_member(std::string_view nearest, std::span<const std::string> known);
inline constexpr std::string_view kTooManyMappings = "there are more than 1,000";
inline constexpr std::string_view kSecondMapping =
    "another mapping has the same function and the same source";
inline constexpr std::string_view kOneSource =
    "it needs one source: either TableName or EventSourceArn";
inline constexpr std::string_view kNoTableName = "it is no name of a table";
inline constexpr std::string_view kNoStreamArn =
    "it is no ARN of a stream as arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000";
inline constexpr std::string_view kNoFunctionName = "it is no name or ARN of a function";
inline constexpr std::string_view kNoEndpoint = "it is no URL as http://localhost:9001";
inline constexpr std::string_view kNoStartingPosition = "it is neither TRIM_HORIZON nor LATEST";
std::string no_whole_number(std::int64_t least, std::int64_t most);
inline constexpr std::string_view kNoAge = "it is neither -1 nor a whole number from 60 to 604800";
inline constexpr std::string_view kNoTumblingWindow =
    "tumbling windows are not supported: leave it out, or say 0";
inline constexpr std::string_view kTooManyFilters = "there are more than 5";
inline constexpr std::string_view kNoPattern = "it has no Pattern, a text";
inline constexpr std::string_view kNoResponseType =
    "it holds anything but ReportBatchItemFailures, once";
inline constexpr std::string_view kDestinationArn =
    "queues, topics and buckets cannot be reached by their ARNs here: name a file as file:///var/failures.jsonl, or a URL as http://localhost:9002/failures";
inline constexpr std::string_view kNoDestination =
    "it is neither a file as file:///var/failures.jsonl nor a URL as http://localhost:9002/failures";

// ---- filter patterns ---------------------------------------------------------------------------

inline constexpr const char* kPatternTooLong = "the pattern has more than 4,096 bytes";
inline constexpr const char* kPatternNoJson = "the pattern is no JSON";
inline constexpr const char* kPatternOr = "$or takes a list of two or more patterns";
std::string pattern_no_object(std::string_view place);
std::string pattern_empty(std::string_view place);
std::string pattern_twice(std::string_view place, std::string_view member);
std::string pattern_no_list(std::string_view place);
std::string pattern_no_value(std::string_view place);
std::string pattern_comparison(std::string_view place);
std::string pattern_unknown(std::string_view place, std::string_view name);
std::string pattern_wrong_operand(std::string_view name);

// ---- the log -----------------------------------------------------------------------------------

std::string unwritable_failures(std::string_view path, std::string_view why);
// `seconds`: how old the first record is that waits.
std::string cannot_invoke(std::string_view function, std::string_view source, std::string_view why,
                          double seconds);
std::string invokes_again(std::string_view function, std::string_view source, double seconds);
std::string records_left_out(std::string_view function, std::string_view source, std::size_t count,
                             std::string_view condition, std::string_view first,
                             std::string_view last);
std::string cannot_keep_failure(std::string_view destination, std::string_view function,
                                std::string_view why);
std::string source_records_too_old(std::string_view function, std::string_view source);
std::string source_unreadable(std::string_view function, std::string_view why);
std::string no_source(std::string_view function, std::string_view source);
std::string walk_failed(std::string_view why);

// Why a batch was not taken.
std::string function_error(std::string_view kind, std::string_view answer);
std::string invocation_status(int status, std::string_view answer);
std::string function_timed_out(std::chrono::seconds limit);
inline constexpr std::string_view kItemFailures = "the function names records that it failed at";
inline constexpr std::string_view kBadReport =
    "what the function returned is no list of batchItemFailures of this batch";

}  // namespace magneto::server::feeds::messages
