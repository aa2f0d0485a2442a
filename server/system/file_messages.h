#pragma once

#include "server/system/sentence.h"

// Reasons why a file cannot be read.
namespace magneto::server::system::messages {

inline constexpr const char* kNoRegularFile = "it is not a regular file";
inline constexpr const char* kChangedFile = "it changed while it was read";
inline constexpr Sentence<1> kTooLargeFile{"it is larger than {max_megabytes} MB"};
inline constexpr const char* kNoRandomBytes = "cannot get random bytes";

}  // namespace magneto::server::system::messages
