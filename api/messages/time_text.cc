#include "api/messages/time_text.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace magneto::api::messages {

std::string time_text(double seconds) {
  constexpr double kFirst = -62'135'596'800;
  constexpr double kLast = 253'402'300'799;
  const double whole = std::floor(std::clamp(seconds, kFirst, kLast));
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(whole)));
}

}  // namespace magneto::api::messages
