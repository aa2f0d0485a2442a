#include "server/transfer/command_flags.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "server/messages.h"

namespace magneto::server {
namespace {

constexpr int kUsageError = 2;

}  // namespace

int report_usage(const CLI::App& app, std::string_view problem) {
  std::cerr << messages::usage_error(app.get_name(), problem);
  return kUsageError;
}

std::optional<int> parse_flags(CLI::App& app, int argc, const char* const* argv) {
  try {
    std::vector<std::string> flags(argv + std::min(argc, 2), argv + argc);
    std::reverse(flags.begin(), flags.end());  // as CLI11 wants them
    app.parse(flags);
  } catch (const CLI::Success& done) {
    return app.exit(done, std::cout, std::cerr);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error.what());
  }
  return std::nullopt;
}

}  // namespace magneto::server
