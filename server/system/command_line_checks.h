#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "server/system/listed_parts.h"

namespace magneto::server::system {

// Checks of the values of flags. Each returns an empty text, or a message that follows the flag's
// name.

CLI::Validator not_empty();
// A whole number in the range.
CLI::Validator whole_number(std::uint64_t lowest, std::uint64_t highest);
// A number with decimals in the range.
CLI::Validator quantity(double lowest, double highest);
// A list of elements that `canonical` accepts; `what` names them in the message.
CLI::Validator list_of(Canonical canonical, const std::string& what);
// The value must have the form "NAME=VALUE".
CLI::Validator parameter_name();

}  // namespace magneto::server::system
