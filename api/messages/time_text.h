#pragma once

#include <string>

namespace magneto::api::messages {

// "2026-10-09T00:41:50Z", as messages of AWS tell times: whole seconds. `seconds` since 1970, of the
// years 1 to 9999; what lies outside is told as the nearest of them.
std::string time_text(double seconds);

}  // namespace magneto::api::messages
