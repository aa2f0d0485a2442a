#include "server/objects/messages.h"

#include <fmt/format.h>

namespace magneto::server::messages {

std::string no_bucket(std::string_view bucket) {
  return fmt::format("The specified bucket does not exist: {}", bucket);
}

std::string no_object(std::string_view bucket, std::string_view prefix) {
  return fmt::format("Bucket {} has no object whose key begins with '{}'", bucket, prefix);
}

std::string unusable_object(std::string_view bucket, std::string_view key, std::string_view why) {
  return fmt::format("Object '{}' of bucket {} cannot be used: {}", key, bucket, why);
}

std::string too_many_objects(std::string_view bucket, std::string_view prefix, std::size_t most) {
  return fmt::format("Bucket {} has more than {} files to look at for keys that begin with '{}'",
                     bucket, most, prefix);
}

}  // namespace magneto::server::messages
