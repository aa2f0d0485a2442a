#pragma once

#include <string>
#include <string_view>

#include "api/json/json_writer.h"
#include "api/request/parameters.h"
#include "api/validation/shape.h"

// Shapes and functions shared by requests for exports and for imports.
namespace magneto::api {

// A job stores its request. A longer request is refused.
inline constexpr std::size_t kMaxJobRequestBytes = 1 << 20;

bool is_client_token(std::string_view text);
inline constexpr Pattern kClientTokenPattern{"^[^\\$]+$", &is_client_token};
// AWS gives no maximum length.
inline constexpr Shape kClientTokenShape{
    .kind = Kind::kString, .max = 1'024, .has_max = true, .pattern = &kClientTokenPattern};

// [a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+, so it cannot be a path.
bool is_bucket_name(std::string_view text);
inline constexpr Pattern kBucketPattern{"^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$", &is_bucket_name};
inline constexpr Shape kBucketShape{
    .kind = Kind::kString, .max = 255, .has_max = true, .pattern = &kBucketPattern};

bool is_account(std::string_view text);
inline constexpr Pattern kAccountPattern{"[0-9]{12}", &is_account};
inline constexpr Shape kBucketOwnerShape{.kind = Kind::kString, .pattern = &kAccountPattern};

// S3SseKmsKeyId becomes a header field of S3, which must be ASCII. AWS's model has no pattern for
// it.
bool is_key_id(std::string_view text);
inline constexpr Pattern kKeyIdPattern{"[ -~]+", &is_key_id};
inline constexpr Shape kKeyIdShape{.kind = Kind::kString,
                                   .min = 1,
                                   .max = 2'048,
                                   .has_min = true,
                                   .has_max = true,
                                   .pattern = &kKeyIdPattern};

inline constexpr Shape kKeyPrefixShape = with_max(kStringShape, 1'024);

// The ARN of a job.
inline constexpr Shape kJobArnShape = with_range(kStringShape, 37, 1'024);
inline constexpr Shape kJobTableArnShape = with_range(kStringShape, 1, 1'024);
inline constexpr Shape kJobPageShape = with_range(kIntegerShape, 1, 25);
// The default page size (captured from AWS, October 2026).
inline constexpr std::int64_t kDefaultJobsOfPage = 10;

// Throws ValidationException for a key prefix that is not a path within its bucket.
void check_key_prefix(std::string_view prefix, std::string_view member);

// Copies a member of the request unchanged; writes nothing if it is absent.
void copy_member(json::Writer& writer, json::Value from, std::string_view name);

// The NextToken of a page that ends with the job of this name: 112 hexadecimal digits, as in AWS's
// model for imports.
std::string next_token_of(std::string_view name);
// Returns the name. Throws ValidationException for an invalid token.
std::string name_of_token(std::string_view token);

}  // namespace magneto::api
