#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What the user is told of an import. `why`: what the system, SQLite or the service says.
namespace magneto::server::tools::messages {

// A file that is not taken over.
std::string unreadable_file(std::string_view path, std::string_view why);
std::string damaged_file(std::string_view path, std::string_view damage);
std::string changed_file(std::string_view path);
std::string no_sqlite_file(std::string_view path);
std::string no_table_dm(std::string_view path);
std::string other_table_dm(std::string_view path);
// What becomes of a file of somebody else's: `foreign` is one of the last three.
std::string in_the_way(std::string_view foreign);
std::string left_alone(std::string_view foreign);

// Its damage.
inline constexpr const char* kImpossibleName = "a table has a name that none can have";
std::string missing_items(std::string_view table);
std::string missing_item(std::string_view table);
std::string damaged_table(std::string_view table, std::string_view why);
std::string description_not_json(std::string_view table);
std::string item_not_json(std::string_view table);
inline constexpr const char* kNoSqliteMemory = "no memory";
inline constexpr const char* kPagesLeadNowhere = "its pages lead nowhere";
inline constexpr const char* kRowsOutOfOrder = "its rows are out of order";

// How it goes on.
std::string importing(std::string_view path, std::size_t tables);
std::string imported(std::size_t tables, std::int64_t items, std::string_view path);
std::string imported_so_far(std::int64_t done, std::int64_t items, std::string_view table);

// What is left out.
std::string table_exists(std::string_view table, std::string_view path);
std::string table_refused(std::string_view table, std::string_view why);
std::string items_refused(std::int64_t refused, std::int64_t items, std::string_view table,
                          std::string_view why);
// `what`: "time to live", "stream" or "deletion protection".
std::string imported_without(std::string_view table, std::string_view what, std::string_view why);

// What ends it.
std::string import_failed(std::string_view operation, std::string_view why);
std::string notes_not_written(std::string_view path, std::string_view why);

}  // namespace magneto::server::tools::messages
