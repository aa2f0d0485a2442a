#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::system {

// Reads a command line and refuses errors, in the same way for the server and for each command.
// `app` has the name that the user typed: "magneto", "magneto copy".

// Prints one sentence on standard error. Returns the exit status.
int report_usage(const CLI::App& app, std::string_view problem);

// Whether `app` has each flag of `arguments`, and none of them asks for help or the version.
bool has_all_names(const CLI::App& app, const std::vector<std::string>& arguments);

// Reads `arguments` into the variables that `app` declares. Returns the exit status if the program
// must end: 0 after --help and --version, which override everything else; 2 after a usage error
// (one sentence). Errors are checked in this order: names that `app` does not have, the problem
// that `find_problem` returns (empty: none), values. `find_other` returns the name that was
// probably meant by a flag that is not similar to any of `app`; empty if there is none.
std::optional<int> read_arguments(
    CLI::App& app, std::vector<std::string> arguments,
    const std::function<std::string()>& find_problem = {},
    const std::function<std::string(const std::string& flag)>& find_other = {});

}  // namespace magneto::server::system
