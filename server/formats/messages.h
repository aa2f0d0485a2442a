#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What the user is told of files that are read and written.
namespace magneto::server::formats::messages {

// ---- why a record is no item -------------------------------------------------------------------

inline constexpr std::string_view kNoJsonObject = "is not a JSON object";
inline constexpr std::string_view kNoJsonObjectHere =
    "has something other than a JSON object where an item begins";
inline constexpr std::string_view kNoEndOfJson = "begins a JSON value that has no end";
inline constexpr std::string_view kLineEndInString =
    "has a string that goes over the end of a line";
std::string repeated_attribute(std::string_view name);
inline constexpr std::string_view kTooDeep = "nests too deeply";
inline constexpr std::string_view kRecordTooLong = "is longer than any item can be";

inline constexpr std::string_view kStrayQuote =
    "has a quote, or a carriage return, inside a cell that is not quoted as a whole";
inline constexpr std::string_view kNoClosingQuote = "has a quoted cell without a closing quote";
inline constexpr std::string_view kTooManyCells = "has more than 10,000 cells";
inline constexpr std::string_view kNoUtf8 = "has bytes that are not UTF-8";
inline constexpr std::string_view kOtherColumns = "has not as many cells as there are columns";
std::string other_cell(std::string_view column, std::string_view type);

inline constexpr std::string_view kNoIon = "is no Amazon Ion";
inline constexpr std::string_view kNoIonItem = "is no struct with one field Item, a struct";
inline constexpr std::string_view kNoDynamoDbType = "has a value of a type that DynamoDB has not";
inline constexpr std::string_view kOtherInSet = "has a set with a value of another type";
inline constexpr std::string_view kIonSymbolNumber = "names a symbol by a number that has no text";
inline constexpr std::string_view kIonSharedSymbols = "needs a shared table of symbols";
inline constexpr std::string_view kIonManySymbols = "has more symbols than are taken";

// ---- another format than the one that was given ------------------------------------------------

inline constexpr std::string_view kLooksPlain = "looks like plain JSON: give --format json-plain";
inline constexpr std::string_view kLooksTyped =
    "looks like DynamoDB's JSON, with types: give --format json-typed";
inline constexpr std::string_view kLooksLikeUtf16 = "looks like UTF-16: save the file as UTF-8";
inline constexpr std::string_view kLooksBinary =
    "looks like binary data: give JSON or CSV, as it is or compressed with gzip or zstd";
inline constexpr std::string_view kLooksLikeCsv = "looks like CSV: give --format csv";

// ---- why a file of CSV has no columns ----------------------------------------------------------

inline constexpr std::string_view kNoColumns = "the first line has no columns";
std::string no_column_type(std::string_view column);
std::string repeated_column(std::string_view column);
std::string too_many_columns(std::size_t most);

// ---- files -------------------------------------------------------------------------------------

std::string unreadable_source(std::string_view path, std::string_view why);
std::string damaged_source(std::string_view path, std::string_view coding);
std::string wide_window(std::string_view path, std::size_t most);
std::string unwritable_target(std::string_view path, std::string_view why);
inline constexpr std::string_view kChanged = "was changed by another program while it was needed";
inline constexpr std::string_view kNoFile = "it is there and no file";
std::string target_exists(std::string_view path);
std::string target_in_use(std::string_view path);
// A folder that is in the way of one that is to be written.
std::string folder_exists(std::string_view path);
std::string at_record(std::string_view path, std::size_t line, std::string_view what);

// ---- exports in AWS's format -------------------------------------------------------------------

inline constexpr std::string_view kNoExport =
    "there is no manifest-files.json in it or in one folder of it, as an export of AWS has";
inline constexpr std::string_view kSeveralExports =
    "several exports are in it; name the folder of one";
inline constexpr std::string_view kLongManifest = "it is too long for a manifest";
inline constexpr std::string_view kOtherMd5 = "its MD5 is not the one that the export tells";
inline constexpr std::string_view kNoDataFile =
    "names no data file with its MD5 and count of items";
inline constexpr const char* kNoMd5 =
    "OpenSSL is configured to have no MD5, which AWS's format of exports needs";
std::string other_output_format(std::string_view format);
std::string other_export_type(std::string_view type);
std::string other_item_count(std::string_view path, std::uint64_t found, std::uint64_t told);

// ---- an item that a format cannot carry --------------------------------------------------------

// `item` is its JSON, `type` what has no form: "SS".
std::string inexpressible(std::string_view format, std::string_view type, std::string_view item);

}  // namespace magneto::server::formats::messages
