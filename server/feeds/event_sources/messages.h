#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Texts for users about event source mappings: errors in their file, and lines of the log.
namespace magneto::server::feeds::messages {

// ---- the file ----------------------------------------------------------------------------------

inline constexpr system::Sentence<2> kUnreadableMappingFile{
    "cannot read the event source mappings in {file} (--event-sources): {why}"};
inline constexpr system::Sentence<2> kWrongMappingFile{
    "cannot use the event source mappings in {file} (--event-sources): {what}"};
// "EventSourceMappings[0].BatchSize: ..."
std::string at_member(std::string_view place, std::string_view what);
inline constexpr system::Sentence<2> kMemberOf{"{place}.{member}"};
inline constexpr system::Sentence<2> kElementOf{"{place}[{number}]"};

inline constexpr std::string_view kNoJson = "it is not JSON";
inline constexpr std::string_view kNoObject = "it is not an object";
inline constexpr std::string_view kNoList = "it is not a list";
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
inline constexpr std::string_view kNoTableName = "it is not a table name";
inline constexpr std::string_view kNoStreamArn =
    "it is not a stream ARN such as arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000";
inline constexpr std::string_view kNoFunctionName = "it is not the name or ARN of a function";
inline constexpr std::string_view kNoEndpoint = "it is not a URL such as http://localhost:9001";
inline constexpr std::string_view kNoStartingPosition = "it is neither TRIM_HORIZON nor LATEST";
inline constexpr system::Sentence<2> kNoWholeNumber{
    "it is not a whole number from {least} to {most}"};
inline constexpr std::string_view kNoAge = "it is neither -1 nor a whole number from 60 to 604800";
inline constexpr std::string_view kNoTumblingWindow =
    "tumbling windows are not supported: leave it out, or give 0";
inline constexpr std::string_view kTooManyFilters = "there are more than 5";
inline constexpr std::string_view kNoPattern = "it has no Pattern, which is a string";
inline constexpr std::string_view kNoResponseType =
    "it must hold ReportBatchItemFailures once and nothing else";
inline constexpr std::string_view kDestinationArn =
    "queues, topics and buckets cannot be reached by their ARNs here: name a file such as file:///var/failures.jsonl, or a URL such as http://localhost:9002/failures";
inline constexpr std::string_view kNoDestination =
    "it is neither a file such as file:///var/failures.jsonl nor a URL such as http://localhost:9002/failures";

// ---- filter patterns ---------------------------------------------------------------------------

inline constexpr const char* kPatternTooLong = "the pattern has more than 4,096 bytes";
inline constexpr const char* kPatternNoJson = "the pattern is not JSON";
inline constexpr const char* kPatternOr = "$or takes a list of two or more patterns";
std::string pattern_no_object(std::string_view place);
std::string pattern_empty(std::string_view place);
std::string pattern_twice(std::string_view place, std::string_view member);
inline constexpr system::Sentence<1> kPatternNoList{
    "the pattern has neither an object nor a list at {place}"};
inline constexpr system::Sentence<1> kPatternNoValue{
    "the pattern's list at {place} holds something other than strings, numbers, true, false, null and comparisons"};
inline constexpr system::Sentence<1> kPatternComparison{
    "a comparison in the pattern's list at {place} does not have exactly one member"};
inline constexpr system::Sentence<2> kPatternUnknown{
    "the pattern has an unknown comparison {name} at {place}"};
inline constexpr system::Sentence<1> kPatternWrongOperand{
    "the pattern's comparison {name} has a wrong operand"};

// ---- the log -----------------------------------------------------------------------------------

inline constexpr system::Sentence<2> kUnwritableFailures{
    "records that functions did not accept cannot be written to {path}: {why}"};
// `seconds`: the age of the first waiting record.
std::string cannot_invoke(std::string_view function, std::string_view source, std::string_view why,
                          double seconds);
std::string invokes_again(std::string_view function, std::string_view source, double seconds);
std::string records_left_out(std::string_view function, std::string_view source, std::size_t count,
                             std::string_view condition, std::string_view first,
                             std::string_view last);
inline constexpr system::Sentence<3> kCannotKeepFailure{
    "{destination} does not accept the records that function {function} did not accept, so they wait: {why}"};
inline constexpr system::Sentence<2> kSourceRecordsTooOld{
    "records of {source} that function {function} did not accept within a day are dropped; the records of the last day follow"};
inline constexpr system::Sentence<2> kSourceUnreadable{
    "cannot read the records for function {function}, and will try again: {why}"};
inline constexpr system::Sentence<2> kNoSource{
    "function '{function}' gets no records until '{source}' has a stream"};
inline constexpr system::Sentence<1> kWalkFailed{
    "cannot look for the streams of functions, and will try again: {why}"};

// Reasons why a batch was not taken.
inline constexpr system::Sentence<2> kFunctionError{"the function failed ({kind}): {answer}"};
inline constexpr system::Sentence<2> kInvocationStatus{"the endpoint answered {status}: {answer}"};
inline constexpr system::Sentence<1> kFunctionTimedOut{
    "the function did not answer within {seconds} s"};
inline constexpr std::string_view kItemFailures =
    "the function reported records that it could not process";
inline constexpr std::string_view kBadReport =
    "the function did not return a list of batchItemFailures of this batch";

}  // namespace magneto::server::feeds::messages
