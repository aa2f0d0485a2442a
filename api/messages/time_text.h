#pragma once

#include <string>

namespace magneto::api::messages {

// A time as in AWS's messages, in whole seconds: "2026-10-09T00:41:50Z". `seconds` counts since
// 1970 and covers the years 1 to 9999; times outside become the nearest time within.
std::string time_text(double seconds);

}  // namespace magneto::api::messages
