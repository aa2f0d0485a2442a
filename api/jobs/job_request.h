#pragma once

#include <string>
#include <string_view>

#include "api/json/json_writer.h"
#include "api/request/parameters.h"
#include "api/validation/shape.h"

// What requests for exports and for imports have in common.
namespace magneto::api {

// A job keeps its request: of more than this it is refused.
inline constexpr std::size_t kMaxJobRequestBytes = 1 << 20;

bool is_client_token(std::string_view text);
inline constexpr Pattern kClientTokenPattern{"^[^\\$]+$", &is_client_token};
// AWS names no longest one.
inline constexpr Shape kClientTokenShape{
    .kind = Kind::kString, .max = 1'024, .has_max = true, .pattern = &kClientTokenPattern};

// [a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+, so no path either.
bool is_bucket_name(std::string_view text);
inline constexpr Pattern kBucketPattern{"^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$", &is_bucket_name};
inline constexpr Shape kBucketShape{
    .kind = Kind::kString, .max = 255, .has_max = true, .pattern = &kBucketPattern};

bool is_account(std::string_view text);
inline constexpr Pattern kAccountPattern{"[0-9]{12}", &is_account};
inline constexpr Shape kBucketOwnerShape{.kind = Kind::kString, .pattern = &kAccountPattern};

// S3SseKmsKeyId goes into a header field of S3, which is of ASCII. AWS's model has no pattern for it.
bool is_key_id(std::string_view text);
inline constexpr Pattern kKeyIdPattern{"[ -~]+", &is_key_id};
inline constexpr Shape kKeyIdShape{.kind = Kind::kString,
                                   .min = 1,
                                   .max = 2'048,
                                   .has_min = true,
                                   .has_max = true,
                                   .pattern = &kKeyIdPattern};

inline constexpr Shape kKeyPrefixShape = with_max(kStringShape, 1'024);

// ARN of a job.
inline constexpr Shape kJobArnShape = with_range(kStringShape, 37, 1'024);
inline constexpr Shape kJobTableArnShape = with_range(kStringShape, 1, 1'024);
inline constexpr Shape kJobPageShape = with_range(kIntegerShape, 1, 25);
// Where no number is given (captured from AWS, October 2026).
inline constexpr std::int64_t kDefaultJobsOfPage = 10;

// Throws ValidationException for a prefix of keys that is no path below its bucket.
void check_key_prefix(std::string_view prefix, std::string_view member);

// Copies a member of the request as it is; nothing where it is absent.
void copy_member(json::Writer& writer, json::Value from, std::string_view name);

// NextToken of the page that ends with the job of this name, as AWS's model has those of imports:
// 112 hexadecimal digits.
std::string next_token_of(std::string_view name);
// The name; throws ValidationException for a token that is none.
std::string name_of_token(std::string_view token);

}  // namespace magneto::api
