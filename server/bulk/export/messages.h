#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// What the user is told of exports.
namespace magneto::server::bulk::messages {

inline constexpr std::string_view kNoPage = "the answer has no Items";

std::string read_failed(std::string_view endpoint, std::string_view why);
std::string export_progress(std::uint64_t items, double per_second);
std::string export_done(std::uint64_t items, std::string_view table, std::string_view path,
                        double seconds);

}  // namespace magneto::server::bulk::messages
