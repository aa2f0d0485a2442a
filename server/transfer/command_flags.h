#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string_view>

namespace magneto::server {

// Of the commands that stand behind the program's name: "magneto copy". `app` has that name.

// One sentence on stderr. The exit status.
int report_usage(const CLI::App& app, std::string_view problem);

// Reads what follows the command's name into what `app` was told of. The exit status when there is
// nothing to run: 0 after --help, 2 after a usage error.
std::optional<int> parse_flags(CLI::App& app, int argc, const char* const* argv);

}  // namespace magneto::server
