#include "server/bulk/jobs/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::bulk::messages {

std::string job_passed_over(std::string_view arn, std::uint64_t count, std::string_view first,
                            std::string_view file) {
  return fmt::format("{} passed over {}; the first: {}{}{}", arn, system::counted(count, "record"),
                     first, file.empty() ? "" : "; more in ", file);
}

}  // namespace magneto::server::bulk::messages
