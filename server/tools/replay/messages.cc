#include "server/tools/replay/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::tools::messages {

std::string outcome_text(std::int64_t status, std::string_view error, std::string_view message) {
  if (status == 0) return fmt::format("no answer ({})", message);
  if (error.empty()) return fmt::format("{}", status);
  if (message.empty()) return fmt::format("{} {}", status, error);
  return fmt::format("{} {} ({})", status, error, message);
}

std::string other_value(std::int64_t number, std::string_view operation, std::string_view path,
                        std::string_view expected, std::string_view found) {
  constexpr std::string_view kNothing = "nothing";
  return fmt::format("#{} {}: {} is {} instead of {}", number, operation,
                     path.empty() ? "the answer" : path, found.empty() ? kNothing : found,
                     expected.empty() ? kNothing : expected);
}

std::string replayed(std::uint64_t sent, std::uint64_t different) {
  return fmt::format("{} {} sent; {} {}", system::counted(sent, "request"), system::were(sent),
                     system::counted(different, "answer"), different == 1 ? "differs" : "differ");
}

std::string without_body(std::uint64_t count) {
  return fmt::format(
      "{} without a body in the journal {} not sent: switch \"bodies\" on before it is written",
      system::counted(count, "request"), system::were(count));
}

std::string kept_from_running(std::uint64_t count) {
  return fmt::format("{} failed because of a fault rule and {} not sent",
                     system::counted(count, "request"), system::were(count));
}

}  // namespace magneto::server::tools::messages
