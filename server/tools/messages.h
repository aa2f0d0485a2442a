#pragma once

#include <string>
#include <string_view>

// What command lines of commands are refused with.
namespace magneto::server::tools::messages {

// A command line without an endpoint. `flag`: "--to" or "--from".
std::string no_endpoint(std::string_view flag);
// For --format json, which may mean either; `names` are those of formats.
std::string which_json(std::string_view names);
std::string no_directory(std::string_view path);
inline constexpr const char* kFolderNeeded = "--format aws wants a folder, not -";
inline constexpr const char* kNoFolderReplaced =
    "--force replaces no folder; with --format aws, remove it first";

}  // namespace magneto::server::tools::messages
