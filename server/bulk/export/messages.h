#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages to the user about exports.
namespace magneto::server::bulk::messages {

inline constexpr std::string_view kNoPage = "the answer has no Items";

inline constexpr system::Sentence<2> kReadFailed{"cannot read the items from {endpoint}: {why}"};
std::string export_progress(std::uint64_t items, double per_second);
std::string export_done(std::uint64_t items, std::string_view table, std::string_view path,
                        double seconds);

}  // namespace magneto::server::bulk::messages
