#include "server/tools/dynamodb_local/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::tools::messages {
namespace {

// Of rows of a file, which are never fewer than none.
std::uint64_t count_of(std::int64_t rows) {
  return rows < 0 ? 0 : static_cast<std::uint64_t>(rows);
}

}  // namespace

std::string unreadable_file(std::string_view path, std::string_view why) {
  return fmt::format("{} cannot be read ({})", path, why);
}

std::string damaged_file(std::string_view path, std::string_view damage) {
  return fmt::format(
      "{} cannot be imported, since it is damaged ({}); repair it with sqlite3, or move it away to start without its tables",
      path, damage);
}

std::string changed_file(std::string_view path) {
  return fmt::format("{} was changed while it was read; stop DynamoDB Local, then start again",
                     path);
}

std::string no_sqlite_file(std::string_view path) {
  return fmt::format("{} is no SQLite file", path);
}

std::string no_table_dm(std::string_view path) {
  return fmt::format("{} is a SQLite file, but not DynamoDB Local's (it has no table dm)", path);
}

std::string other_table_dm(std::string_view path) {
  return fmt::format("{} is a SQLite file, but not DynamoDB Local's (its table dm differs)", path);
}

std::string in_the_way(std::string_view foreign) {
  return fmt::format("{}; move it away", foreign);
}

std::string left_alone(std::string_view foreign) {
  return fmt::format("{}, and is left alone", foreign);
}

std::string missing_items(std::string_view table) {
  return fmt::format("the items of table {} are missing", table);
}

std::string missing_item(std::string_view table) {
  return fmt::format("an item of table {} is missing", table);
}

std::string damaged_table(std::string_view table, std::string_view why) {
  return fmt::format("table {}: {}", table, why);
}

std::string description_not_json(std::string_view table) {
  return fmt::format("the description of table {} is no JSON", table);
}

std::string item_not_json(std::string_view table) {
  return fmt::format("an item of table {} is no JSON", table);
}

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

std::string table_exists(std::string_view table, std::string_view path) {
  return fmt::format("table {} of {} was not imported: there is a table of that name already",
                     table, path);
}

std::string table_refused(std::string_view table, std::string_view why) {
  return fmt::format("table {} was not imported: {}", table, why);
}

std::string items_refused(std::int64_t refused, std::int64_t items, std::string_view table,
                          std::string_view why) {
  return fmt::format("{} of {} of table {} {} left out: {}", refused,
                     system::counted(count_of(items), "item"), table,
                     system::were(count_of(refused)), why);
}

std::string imported_without(std::string_view table, std::string_view what, std::string_view why) {
  return fmt::format("the imported table {} has no {}: {}", table, what, why);
}

std::string import_failed(std::string_view operation, std::string_view why) {
  return fmt::format(
      "the tables of DynamoDB Local cannot be imported: {} failed ({}); the next start begins again",
      operation, why);
}

std::string notes_not_written(std::string_view path, std::string_view why) {
  return fmt::format(
      "cannot write {}, where the import of DynamoDB Local's tables is noted ({}); make room, or make it writable",
      path, why);
}

}  // namespace magneto::server::tools::messages
