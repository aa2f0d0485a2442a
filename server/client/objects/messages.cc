#include "server/client/objects/messages.h"

#include <fmt/format.h>

namespace magneto::server::client::messages {

std::string s3_refused(std::string_view bucket, std::string_view key, int status,
                       std::string_view code, std::string_view message) {
  return fmt::format("S3 refused bucket {}{}{}{} with status {}{}{}{}{}", bucket,
                     key.empty() ? "" : ", object '", key, key.empty() ? "" : "',", status,
                     code.empty() ? "" : ": ", code, message.empty() ? "" : ": ", message);
}

}  // namespace magneto::server::client::messages
