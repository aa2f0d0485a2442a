#include "server/transfer/export/messages.h"

#include <fmt/format.h>

namespace magneto::server::messages {

std::string read_failed(std::string_view endpoint, std::string_view why) {
  return fmt::format("{} does not give the items: {}", endpoint, why);
}

std::string export_progress(std::uint64_t items, double per_second) {
  return fmt::format("{} items read, {:.0f} a second", items, per_second);
}

std::string export_done(std::uint64_t items, std::string_view table, std::string_view path,
                        double seconds) {
  return fmt::format("{} items of table {} are in {} after {:.1f} s", items, table, path, seconds);
}

}  // namespace magneto::server::messages
