#include "server/system/environment_variables.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <vector>

#include "api/nearest_name.h"
#include "server/system/command_line_messages.h"

namespace magneto::server::system {
namespace {

constexpr std::array<std::string_view, 2> kOfSurroundings = {"MAGNETO_ENDPOINT", "MAGNETO_VERSION"};
constexpr std::array<std::string_view, 3> kLinkProtocols = {"TCP", "UDP", "SCTP"};
constexpr std::array<std::string_view, 4> kLinkProperties = {"", "_ADDR", "_PORT", "_PROTO"};

// Whether the text has the form "8000_TCP_ADDR", the end of "..._PORT_8000_TCP_ADDR".
bool is_port_of_link(std::string_view text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || text[digits] != '_') return false;
  text.remove_prefix(digits + 1);
  for (const std::string_view protocol : kLinkProtocols) {
    if (!text.starts_with(protocol)) continue;
    return std::ranges::count(kLinkProperties, text.substr(protocol.size())) > 0;
  }
  return false;
}

bool is_of_service(std::string_view name, std::string_view value) {
  constexpr std::string_view kServicePort = "_SERVICE_PORT";
  constexpr std::string_view kPort = "_PORT_";
  if (name.ends_with("_SERVICE_HOST") || name.ends_with(kServicePort)) return true;
  if (name.find("_SERVICE_PORT_") != std::string_view::npos) return true;
  if (name.ends_with("_PORT") && is_service_link(value)) return true;
  for (std::size_t at = name.find(kPort); at != std::string_view::npos;
       at = name.find(kPort, at + 1)) {
    if (is_port_of_link(name.substr(at + kPort.size()))) return true;
  }
  // docker --link sets a name such as "/client/magneto", and copies the variables of the other
  // container.
  return (name == "MAGNETO_NAME" && value.starts_with('/')) || name.starts_with("MAGNETO_ENV_");
}

}  // namespace

std::string variable_of(std::string_view flag) {
  std::string name(kVariablePrefix);
  for (const char c : flag.substr(2)) name += c == '-' ? '_' : absl::ascii_toupper(c);
  return name;
}

bool is_service_link(std::string_view value) {
  return value.starts_with("tcp://") || value.starts_with("udp://") || value.starts_with("sctp://");
}

std::string unknown_variable_problem(const char* const* environment,
                                     std::span<const std::string> known) {
  std::vector<std::string_view> unknown;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::string_view name = entry.substr(0, entry.find('='));
    const std::string_view value = entry.substr(std::min(entry.size(), name.size() + 1));
    if (!name.starts_with(kVariablePrefix) || is_of_service(name, value)) continue;
    if (std::ranges::count(kOfSurroundings, name) > 0) continue;
    if (std::ranges::count(known, name) == 0) unknown.push_back(name);
  }
  if (unknown.empty()) return {};
  const std::string_view first = *std::ranges::min_element(unknown);
  // Compare without the prefix: it is the same for all, and would make them look similar.
  std::vector<std::string> endings;
  for (const std::string& name : known) endings.push_back(name.substr(kVariablePrefix.size()));
  const std::string_view nearest = api::nearest_name(first.substr(kVariablePrefix.size()), endings);
  return messages::unknown_variable(
      first, nearest.empty() ? "" : std::string(kVariablePrefix).append(nearest));
}

}  // namespace magneto::server::system
