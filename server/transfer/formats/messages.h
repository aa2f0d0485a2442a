#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// What the user is told of files that are read and written.
namespace magneto::server::messages {

// ---- why a record is no item -------------------------------------------------------------------

inline constexpr std::string_view kNoJsonObject = "is no JSON object";
inline constexpr std::string_view kTooDeep = "nests too deeply";
inline constexpr std::string_view kRecordTooLong = "is longer than any item can be";

inline constexpr std::string_view kNoCsvRecord = "has a quote where none may be, or no end of one";
inline constexpr std::string_view kNoUtf8 = "has bytes that are not UTF-8";
inline constexpr std::string_view kOtherColumns = "has not as many cells as there are columns";
inline constexpr std::string_view kOtherCell = "has a cell that its column's type does not allow";

// ---- why a file of CSV has no columns ----------------------------------------------------------

inline constexpr std::string_view kNoColumns = "the first line has no columns";
std::string no_column_type(std::string_view column);
std::string repeated_column(std::string_view column);
std::string too_many_columns(std::size_t most);

// ---- files -------------------------------------------------------------------------------------

std::string unreadable_source(std::string_view path, std::string_view why);
std::string damaged_gzip(std::string_view path);
std::string unwritable_target(std::string_view path, std::string_view why);
inline constexpr std::string_view kChanged = "was changed by another program while it was needed";
inline constexpr std::string_view kNoFile = "it is there and no file";
std::string target_exists(std::string_view path);
std::string target_in_use(std::string_view path);
std::string at_record(std::string_view path, std::size_t line, std::string_view what);

// ---- an item that a format cannot carry --------------------------------------------------------

// `item` is its JSON, `type` what has no form: "SS".
std::string inexpressible(std::string_view format, std::string_view type, std::string_view item);

}  // namespace magneto::server::messages
