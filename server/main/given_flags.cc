#include "server/main/given_flags.h"

#include <algorithm>

#include "server/system/environment_variables.h"

namespace magneto::server::main {

GivenFlags::GivenFlags(const std::vector<std::string>& arguments, const char* const* environment) {
  for (const std::string& argument : arguments) {
    flags_.push_back(argument.substr(0, argument.find('=')));
  }
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    if (!entry.starts_with(system::kVariablePrefix)) continue;
    variables_.emplace_back(entry.substr(0, entry.find('=')));
  }
}

bool GivenFlags::has(std::string_view names) const {
  const std::size_t comma = names.find(',');
  const std::string_view flag = names.substr(comma == std::string_view::npos ? 0 : comma + 1);
  if (std::ranges::count(flags_, flag) > 0) return true;
  if (flag.size() != names.size() && std::ranges::count(flags_, names.substr(0, comma)) > 0) {
    return true;
  }
  return !variables_.empty() && std::ranges::count(variables_, system::variable_of(flag)) > 0;
}

}  // namespace magneto::server::main
