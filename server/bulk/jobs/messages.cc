#include "server/bulk/jobs/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::bulk::messages {

std::string unreadable_job(std::string_view path) {
  return fmt::format("{} is no record of an export or import, and is left alone", path);
}

std::string unwritable_job(std::string_view path, std::string_view why) {
  return fmt::format("how an export or import stands cannot be written to {}: {}", path, why);
}

std::string job_failed(std::string_view arn, std::string_view why) {
  return fmt::format("{} failed: {}", arn, why);
}

std::string job_passed_over(std::string_view arn, std::uint64_t count, std::string_view first,
                            std::string_view file) {
  return fmt::format("{} passed over {}; the first: {}{}{}", arn, system::counted(count, "record"),
                     first, file.empty() ? "" : "; more in ", file);
}

}  // namespace magneto::server::bulk::messages
