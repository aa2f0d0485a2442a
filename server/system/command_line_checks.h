#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "server/system/listed_parts.h"

namespace magneto::server::system {

// What values of flags must be: each says nothing, or a message that goes behind the flag's name.

CLI::Validator not_empty();
// In the range.
CLI::Validator whole_number(std::uint64_t lowest, std::uint64_t highest);
// The same of a number with decimals.
CLI::Validator quantity(double lowest, double highest);
// A list of what `canonical` knows, called `what`.
CLI::Validator list_of(Canonical canonical, const std::string& what);
// "NAME=VALUE".
CLI::Validator parameter_name();

}  // namespace magneto::server::system
