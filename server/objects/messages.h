#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// What is told of buckets and the objects in them.
namespace magneto::server::messages {

std::string no_bucket(std::string_view bucket);
std::string no_object(std::string_view bucket, std::string_view prefix);
std::string unusable_object(std::string_view bucket, std::string_view key, std::string_view why);
std::string too_many_objects(std::string_view bucket, std::string_view prefix, std::size_t most);

inline constexpr std::string_view kNoKeyPath = "the key is no path below the bucket";
inline constexpr std::string_view kLinkOnTheWay = "a part of the path is a link, or no folder";

}  // namespace magneto::server::messages
