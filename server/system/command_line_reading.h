#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::system {

// One way to read a command line and to refuse it, for the server and for each command. `app` is
// called as the user called it: "magneto", "magneto copy".

// One sentence on standard error. The exit status.
int report_usage(const CLI::App& app, std::string_view problem);

// Reads `arguments` into what `app` declares. The exit status when there is nothing to run: 0 after
// --help and --version, which win over everything else; 2 after a usage error (one sentence).
// A name that `app` does not have is refused before any value is looked at, then what
// `find_problem` says (empty: nothing), then values. `find_other` gives the name that was probably
// meant by a flag that comes near none of `app`'s; empty: none.
std::optional<int> read_arguments(
    CLI::App& app, std::vector<std::string> arguments,
    const std::function<std::string()>& find_problem = {},
    const std::function<std::string(const std::string& flag)>& find_other = {});

}  // namespace magneto::server::system
