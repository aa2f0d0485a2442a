#include "server/client/objects/messages.h"

#include <fmt/format.h>

namespace magneto::server::client::messages {

std::string no_bucket(std::string_view bucket) {
  return fmt::format("The specified bucket does not exist: {}", bucket);
}

std::string no_object(std::string_view bucket, std::string_view prefix) {
  return fmt::format("Bucket {} has no object whose key begins with '{}'", bucket, prefix);
}

std::string unusable_object(std::string_view bucket, std::string_view key, std::string_view why) {
  return fmt::format("Object '{}' of bucket {} cannot be used: {}", key, bucket, why);
}

std::string object_is_gone(std::string_view bucket, std::string_view key) {
  return fmt::format("Object '{}' of bucket {} is not there any more", key, bucket);
}

std::string too_many_objects(std::string_view bucket, std::string_view prefix, std::size_t most) {
  return fmt::format("Bucket {} has more than {} files to look at for keys that begin with '{}'",
                     bucket, most, prefix);
}

std::string s3_refused(std::string_view bucket, std::string_view key, int status,
                       std::string_view code, std::string_view message) {
  return fmt::format("S3 refused bucket {}{}{}{} with status {}{}{}{}{}", bucket,
                     key.empty() ? "" : ", object '", key, key.empty() ? "" : "',", status,
                     code.empty() ? "" : ": ", code, message.empty() ? "" : ": ", message);
}

std::string s3_unreachable(std::string_view why) {
  return fmt::format("The S3 endpoint cannot be reached: {}", why);
}

std::string no_s3_answer(std::string_view endpoint) {
  return fmt::format("{} does not answer as S3 does", endpoint);
}

std::string other_object_size(std::string_view bucket, std::string_view key) {
  return fmt::format("Object '{}' of bucket {} is not as long as it was said to be", key, bucket);
}

std::string unusable_staging(std::string_view path, std::string_view why) {
  return fmt::format("{} cannot be used for what goes to S3 or comes from there: {}", path, why);
}

std::string no_room_to_stage(std::string_view bucket, std::string_view key, std::uint64_t size) {
  return fmt::format("Object '{}' of bucket {} has {} bytes, for which this machine has no room",
                     key, bucket, size);
}

std::string no_s3_url(std::string_view text) {
  return fmt::format("--s3-endpoint {} is no URL as http://localhost:9000", text);
}

}  // namespace magneto::server::client::messages
