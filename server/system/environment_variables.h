#pragma once

#include <span>
#include <string>
#include <string_view>

namespace magneto::server::system {

// The prefix of Magneto's variables; each belongs to a flag (command_line.h).
inline constexpr std::string_view kVariablePrefix = "MAGNETO_";

// "--data-dir" -> "MAGNETO_DATA_DIR".
std::string variable_of(std::string_view flag);

// The error about the first unknown variable of `environment` that begins with MAGNETO_; empty if
// there is none. The entries of `environment` are "NAME=value", and nullptr ends the list. `known`
// are the variables of flags. These are ignored too:
//   MAGNETO_ENDPOINT, which the test kits of docs/kits.md read, and MAGNETO_VERSION, in which
//   images store their version;
//   those that Kubernetes and docker --link set for a service called magneto or magneto-something:
//   MAGNETO_SERVICE_HOST, MAGNETO_DB_PORT_8000_TCP_ADDR and the like (Kubernetes, "Service").
std::string unknown_variable_problem(const char* const* environment,
                                     std::span<const std::string> known);

// Whether a value of MAGNETO_PORT is such a link, "tcp://10.0.0.1:8000", rather than a port to
// listen on.
bool is_service_link(std::string_view value);

}  // namespace magneto::server::system
