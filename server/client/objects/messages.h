#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What is told of buckets and the objects in them.
namespace magneto::server::client::messages {

std::string no_bucket(std::string_view bucket);
std::string no_object(std::string_view bucket, std::string_view prefix);
std::string unusable_object(std::string_view bucket, std::string_view key, std::string_view why);
std::string object_is_gone(std::string_view bucket, std::string_view key);
std::string too_many_objects(std::string_view bucket, std::string_view prefix, std::size_t most);

// ---- of an endpoint ----------------------------------------------------------------------------

// `key` may be empty: of the bucket; `code` and `message` too: it is no error of S3.
std::string s3_refused(std::string_view bucket, std::string_view key, int status,
                       std::string_view code, std::string_view message);
std::string s3_unreachable(std::string_view why);
inline constexpr std::string_view kS3CallEnded = "The job ended before S3 was asked";
std::string no_s3_answer(std::string_view endpoint);
std::string other_object_size(std::string_view bucket, std::string_view key);
std::string unusable_staging(std::string_view path, std::string_view why);
std::string no_room_to_stage(std::string_view bucket, std::string_view key, std::uint64_t size);
std::string no_s3_url(std::string_view text);
inline constexpr const char* kTwoPlacesOfObjects =
    "--s3-dir and --s3-endpoint are two places for the same buckets: give one of them";

inline constexpr std::string_view kNoKeyPath = "the key is no path below the bucket";
inline constexpr std::string_view kLinkOnTheWay = "a part of the path is a link, or no folder";

}  // namespace magneto::server::client::messages
