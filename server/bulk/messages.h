#pragma once

#include <string_view>

#include "server/system/sentence.h"

// Why reading or writing a table ended. `why`: the reason that the system or the service gives.
namespace magneto::server::bulk::messages {

inline constexpr system::Sentence<2> kOperationFailed{"{operation} failed ({why})"};
inline constexpr system::Sentence<1> kNoThreads{
    "cannot start that many threads ({why}); use fewer --workers"};
inline constexpr std::string_view kNoMemory = "not enough memory for them";

}  // namespace magneto::server::bulk::messages
