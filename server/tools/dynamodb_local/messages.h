#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages to the user about an import. `why`: the reason that the system, SQLite or the service
// gives.
namespace magneto::server::tools::messages {

// Files that are not imported.
inline constexpr system::Sentence<2> kUnreadableFile{"{path} cannot be read ({why})"};
inline constexpr system::Sentence<2> kDamagedFile{
    "{path} cannot be imported because it is damaged ({damage}); repair it with sqlite3, or move it away to start without its tables"};
inline constexpr system::Sentence<1> kChangedFile{
    "{path} was changed while it was read; stop DynamoDB Local, then start again"};
inline constexpr system::Sentence<1> kNoSqliteFile{"{path} is not an SQLite file"};
inline constexpr system::Sentence<1> kNoTableDm{
    "{path} is an SQLite file, but not DynamoDB Local's (it has no table dm)"};
inline constexpr system::Sentence<1> kOtherTableDm{
    "{path} is an SQLite file, but not DynamoDB Local's (its table dm differs)"};
// The handling of a foreign file: `foreign` is one of the previous three.
inline constexpr system::Sentence<1> kInTheWay{"{foreign}; move it away"};
inline constexpr system::Sentence<1> kLeftAlone{"{foreign}, and is left unchanged"};

// The damage of a file.
inline constexpr const char* kImpossibleName = "a table has a name that DynamoDB does not allow";
inline constexpr system::Sentence<1> kMissingItems{"the items of table {table} are missing"};
inline constexpr system::Sentence<1> kMissingItem{"an item of table {table} is missing"};
inline constexpr system::Sentence<2> kDamagedTable{"table {table}: {why}"};
inline constexpr system::Sentence<1> kDescriptionNotJson{
    "the description of table {table} is not JSON"};
inline constexpr system::Sentence<1> kItemNotJson{"an item of table {table} is not JSON"};
inline constexpr const char* kNoSqliteMemory = "no memory";
inline constexpr const char* kPagesLeadNowhere = "its pages lead nowhere";
inline constexpr const char* kRowsOutOfOrder = "its rows are out of order";

// The progress of the import.
std::string importing(std::string_view path, std::size_t tables);
std::string imported(std::size_t tables, std::int64_t items, std::string_view path);
std::string imported_so_far(std::int64_t done, std::int64_t items, std::string_view table);

// Things that the import leaves out.
inline constexpr system::Sentence<2> kTableExists{
    "table {table} of {path} was not imported: a table of that name exists already"};
inline constexpr system::Sentence<2> kTableRefused{"table {table} was not imported: {why}"};
std::string items_refused(std::int64_t refused, std::int64_t items, std::string_view table,
                          std::string_view why);
// `what`: "time to live", "stream" or "deletion protection".
inline constexpr system::Sentence<3> kImportedWithout{
    "the imported table {table} has no {what}: {why}"};

// Errors that end the import.
inline constexpr system::Sentence<2> kImportFailed{
    "the tables of DynamoDB Local cannot be imported: {operation} failed ({why}); the next start begins again"};
inline constexpr system::Sentence<1> kProgressDamaged{
    "the progress of the import of DynamoDB Local's tables is damaged: to keep the tables that exist and import the others, put an empty file {name} into the data directory"};
inline constexpr system::Sentence<1> kProgressNotWritten{
    "cannot save the progress of the import of DynamoDB Local's tables: {why}"};

}  // namespace magneto::server::tools::messages
