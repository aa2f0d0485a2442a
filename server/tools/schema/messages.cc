#include "server/tools/schema/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::tools::schema::messages {
namespace {

// Lists the first names.
std::string listed(std::span<const std::string> names) {
  constexpr std::size_t kLimit = 20;
  if (names.size() <= kLimit) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.first(kLimit), ", "), names.size() - kLimit);
}

}  // namespace

std::string shortened(std::string_view text) {
  constexpr std::size_t kLimit = 200;
  return text.size() <= kLimit ? std::string(text) : std::string(text.substr(0, kLimit)) + "...";
}

std::string not_made(std::string_view why, std::span<const std::string> left) {
  return fmt::format(
      "the tables of --schema cannot be created: {}{}", why,
      left.empty()
          ? ""
          : fmt::format(
                "\nThese tables could not be deleted again; the next start deletes them: {}",
                listed(left)));
}

std::string parts_removed(std::span<const std::string> tables) {
  return fmt::format(
      "an earlier start ended while it created tables of --schema; the unfinished tables were deleted: {}",
      listed(tables));
}

std::string filled_so_far(std::size_t done, std::size_t items, std::string_view table) {
  return fmt::format("Put {} of {} of --schema into table {}", done, system::counted(items, "item"),
                     table);
}

std::string in_file(std::string_view file, std::uint32_t line, std::string_view what) {
  if (line == 0) return fmt::format("{}: {}", file, what);
  return fmt::format("{}:{}: {}", file, line, what);
}

std::string tables_differ(std::string_view tables, std::size_t left_out) {
  return fmt::format(
      "the store has tables that differ from --schema, and nothing was changed:{}{}\n  Change or delete these tables, or start without --schema.",
      tables, left_out == 0 ? "" : fmt::format("\n    and {} more", left_out));
}

std::string tables_of_files(std::span<const std::string> files, std::span<const std::string> tables,
                            std::size_t made) {
  constexpr std::size_t kLongestList = 300;  // bytes
  std::string names;
  std::size_t shown = 0;
  for (; shown < tables.size(); ++shown) {
    if (shown > 0 && names.size() + tables[shown].size() > kLongestList) break;
    names += (shown == 0 ? "" : ", ") + tables[shown];
  }
  if (shown < tables.size()) names += fmt::format(" and {} more", tables.size() - shown);
  const std::size_t old = tables.size() - made;
  return fmt::format(
      "{} from {}{}{}{}", system::counted(tables.size(), "table"),
      files.size() == 1 ? shortened(files.front()) : system::counted(files.size(), "file"),
      old == 0 ? "" : fmt::format(" ({} {} there already)", old, system::were(old)),
      tables.empty() ? "" : ": ", names);
}

}  // namespace magneto::server::tools::schema::messages
