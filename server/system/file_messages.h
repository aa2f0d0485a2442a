#pragma once

#include <cstddef>
#include <string>

// Why a file cannot be read.
namespace magneto::server::system::messages {

inline constexpr const char* kNoRegularFile = "it is no regular file";
inline constexpr const char* kChangedFile = "it changed while it was read";
std::string too_large_file(std::size_t max_megabytes);
inline constexpr const char* kNoRandomBytes = "cannot get random bytes";

}  // namespace magneto::server::system::messages
