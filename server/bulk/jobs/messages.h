#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages about the exports, imports and bulk operations that clients request.
namespace magneto::server::bulk {

// Values of FailureCode for which S3 has no code.
inline constexpr const char* kServerEnded = "ServerEnded";
inline constexpr const char* kInputUnusable = "InvalidInput";
inline constexpr const char* kFilesUnusable = "S3Error";
// For imports: a record is not an item, or an object does not have the requested format (captured
// from AWS, October 2026).
inline constexpr const char* kItemsInvalid = "ItemValidationError";
inline constexpr const char* kInternalFailure = "InternalServerError";
inline constexpr const char* kWasCancelled = "Cancelled";

namespace messages {

// ---- FailureMessage ----------------------------------------------------------------------------

inline constexpr std::string_view kProcessEnded =
    "The server's process ended before this was done; start it again";
inline constexpr std::string_view kServerIsEnding =
    "The server was stopped before this was done; start it again";
inline constexpr std::string_view kTableWasReplaced =
    "The table was deleted before the export began";
inline constexpr std::string_view kNamespaceIsGone = "The namespace was deleted or created again";
inline constexpr std::string_view kTableIsGone = "The table was deleted";
// AWS's words.
inline constexpr std::string_view kSomeItemsInvalid =
    "Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details.";
inline constexpr std::string_view kCancelled = "CancelBulkOperation was called";

// About an object.
inline constexpr std::string_view kNotCompressed =
    "it is not compressed as InputCompressionType says";

// ---- the log -----------------------------------------------------------------------------------

inline constexpr system::Sentence<1> kUnreadableJob{
    "the record {name} of an export or import is damaged and is ignored; start the export or import again if it did not complete"};
inline constexpr system::Sentence<1> kUnwritableJob{
    "the state of an export or import cannot be written: {why}"};
inline constexpr system::Sentence<2> kJobFailed{"{arn} failed: {why}"};
// `file` contains all errors; empty: no file does.
std::string job_passed_over(std::string_view arn, std::uint64_t count, std::string_view first,
                            std::string_view file);

}  // namespace messages
}  // namespace magneto::server::bulk
