#include "server/tools/dynamodb_local/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::tools::messages {
namespace {

// Converts a number of rows, which is never negative.
std::uint64_t count_of(std::int64_t rows) {
  return rows < 0 ? 0 : static_cast<std::uint64_t>(rows);
}

}  // namespace

std::string importing(std::string_view path, std::size_t tables) {
  return fmt::format("Importing {}: {}", path, system::counted(tables, "table"));
}

std::string imported(std::size_t tables, std::int64_t items, std::string_view path) {
  return fmt::format("Imported {} and {} of {}, which stays as it is",
                     system::counted(tables, "table"), system::counted(count_of(items), "item"),
                     path);
}

std::string imported_so_far(std::int64_t done, std::int64_t items, std::string_view table) {
  return fmt::format("Imported {} of {} of table {}", done,
                     system::counted(count_of(items), "item"), table);
}

std::string items_refused(std::int64_t refused, std::int64_t items, std::string_view table,
                          std::string_view why) {
  return fmt::format("{} of {} of table {} {} left out: {}", refused,
                     system::counted(count_of(items), "item"), table,
                     system::were(count_of(refused)), why);
}

}  // namespace magneto::server::tools::messages
