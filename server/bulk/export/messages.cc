#include "server/bulk/export/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::bulk::messages {

std::string export_progress(std::uint64_t items, double per_second) {
  return fmt::format("{} read, {:.0f} a second", system::counted(items, "item"), per_second);
}

std::string export_done(std::uint64_t items, std::string_view table, std::string_view path,
                        double seconds) {
  return fmt::format("{} of table {} {} in {} after {:.1f} s", system::counted(items, "item"),
                     table, items == 1 ? "is" : "are", path, seconds);
}

}  // namespace magneto::server::bulk::messages
