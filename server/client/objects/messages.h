#pragma once

#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Texts about buckets and their objects.
namespace magneto::server::client::messages {

inline constexpr system::Sentence<1> kNoBucket{"The specified bucket does not exist: {bucket}"};
inline constexpr system::Sentence<2> kNoObject{
    "Bucket {bucket} has no object whose key begins with '{prefix}'"};
inline constexpr system::Sentence<3> kUnusableObject{
    "Object '{key}' of bucket {bucket} cannot be used: {why}"};
inline constexpr system::Sentence<2> kObjectIsGone{
    "Object '{key}' of bucket {bucket} no longer exists"};
inline constexpr system::Sentence<3> kTooManyObjects{
    "Bucket {bucket} has more than {most} files to look at for keys that begin with '{prefix}'"};

// ---- an endpoint -------------------------------------------------------------------------------

// `key` is empty for the bucket. `code` and `message` are empty if the answer is not S3's error.
std::string s3_refused(std::string_view bucket, std::string_view key, int status,
                       std::string_view code, std::string_view message);
inline constexpr system::Sentence<1> kS3Unreachable{"The S3 endpoint cannot be reached: {why}"};
inline constexpr std::string_view kS3CallEnded = "The job ended before S3 was asked";
inline constexpr system::Sentence<1> kNoS3Answer{"{endpoint} does not answer as S3 would"};
inline constexpr system::Sentence<2> kOtherObjectSize{
    "Object '{key}' of bucket {bucket} does not have the size that the endpoint announced"};
inline constexpr system::Sentence<2> kUnusableStaging{
    "{path} cannot be used for files on their way to or from S3: {why}"};
inline constexpr system::Sentence<3> kNoRoomToStage{
    "Object '{key}' of bucket {bucket} has {size} bytes, and this machine does not have the space for it"};
inline constexpr system::Sentence<1> kNoS3Url{
    "--s3-endpoint {text} is not a URL such as http://localhost:9000"};
inline constexpr const char* kTwoPlacesOfObjects =
    "--s3-dir and --s3-endpoint are two places for the same buckets: give one of them";

inline constexpr std::string_view kNoKeyPath = "the key is no path below the bucket";
inline constexpr std::string_view kLinkOnTheWay = "a part of the path is a link, or no folder";

}  // namespace magneto::server::client::messages
