#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages to the user about files that are read and written.
namespace magneto::server::formats::messages {

// ---- why a record is not an item ---------------------------------------------------------------

inline constexpr std::string_view kNoJsonObject = "is not a JSON object";
inline constexpr std::string_view kNoJsonObjectHere =
    "has something other than a JSON object where an item should begin";
inline constexpr std::string_view kNoEndOfJson = "begins a JSON value that has no end";
inline constexpr std::string_view kLineEndInString =
    "has a string that continues after the end of a line";
std::string repeated_attribute(std::string_view name);
inline constexpr std::string_view kTooDeep = "nests too deeply";
inline constexpr std::string_view kRecordTooLong = "is longer than any item can be";

inline constexpr std::string_view kStrayQuote =
    "has a quote, or a carriage return, inside a cell that is not quoted as a whole";
inline constexpr std::string_view kNoClosingQuote = "has a quoted cell without a closing quote";
inline constexpr std::string_view kTooManyCells = "has more than 10,000 cells";
inline constexpr std::string_view kNoUtf8 = "has bytes that are not UTF-8";
inline constexpr std::string_view kOtherColumns =
    "does not have as many cells as there are columns";
inline constexpr system::Sentence<2> kOtherCell{"has no value of type {type} in column {column}"};

inline constexpr std::string_view kNoIon = "is not Amazon Ion";
inline constexpr std::string_view kNoIonItem = "is not a struct whose only field is Item, a struct";
inline constexpr std::string_view kNoDynamoDbType =
    "has a value of a type that DynamoDB does not have";
inline constexpr std::string_view kOtherInSet = "has a set with a value of another type";
inline constexpr std::string_view kIonSymbolNumber = "names a symbol by a number that has no text";
inline constexpr std::string_view kIonSharedSymbols = "needs a shared table of symbols";
inline constexpr std::string_view kIonManySymbols = "has more symbols than are taken";

// ---- the file has another format than the requested one ----------------------------------------

inline constexpr std::string_view kLooksPlain = "looks like plain JSON: give --format json-plain";
inline constexpr std::string_view kLooksTyped =
    "looks like DynamoDB's JSON, with types: give --format json-typed";
inline constexpr std::string_view kLooksLikeUtf16 = "looks like UTF-16: save the file as UTF-8";
inline constexpr std::string_view kLooksBinary =
    "looks like binary data: give JSON or CSV, as it is or compressed with gzip or zstd";
inline constexpr std::string_view kLooksLikeCsv = "looks like CSV: give --format csv";

// ---- why a CSV file has no columns -------------------------------------------------------------

inline constexpr std::string_view kNoColumns = "the first line has no columns";
inline constexpr system::Sentence<1> kNoColumnType{
    "column {column} has no type; name it {column}:S in the first line, or give --types {column}:S"};
inline constexpr system::Sentence<1> kRepeatedColumn{"column {column} appears twice"};
inline constexpr system::Sentence<1> kTooManyColumns{
    "the items have more than {most} different attributes, too many for columns"};

// ---- files -------------------------------------------------------------------------------------

inline constexpr system::Sentence<2> kUnreadableSource{"cannot read {path} ({why})"};
inline constexpr system::Sentence<2> kDamagedSource{
    "{path} is not a complete {coding} file: it is damaged or cut off"};
inline constexpr system::Sentence<2> kWideWindow{
    "{path} needs a window of more than {megabytes} MB, as zstd --long and --ultra make it; compress it without them"};
inline constexpr system::Sentence<2> kUnwritableTarget{"{path} cannot be written: {why}"};
inline constexpr std::string_view kChanged = "was changed by another program while it was in use";
inline constexpr std::string_view kNoFile = "it exists and is not a file";
inline constexpr system::Sentence<1> kTargetExists{"{path} exists already; --force replaces it"};
inline constexpr system::Sentence<1> kTargetInUse{"{path} is being written by another process"};
// An existing folder has the name of a folder that must be written.
inline constexpr system::Sentence<1> kFolderExists{
    "{path} exists already; an export needs a folder of its own"};
inline constexpr system::Sentence<3> kAtRecord{"{path}:{line}: {what}"};

// ---- exports in AWS's format -------------------------------------------------------------------

inline constexpr std::string_view kNoExport =
    "neither the folder nor a folder in it has manifest-files.json, which an export of AWS has";
inline constexpr std::string_view kSeveralExports =
    "it holds several exports; name the folder of one";
inline constexpr std::string_view kLongManifest = "it is too long for a manifest";
inline constexpr std::string_view kOtherMd5 = "its MD5 differs from the one in the export";
inline constexpr std::string_view kNoDataFile =
    "does not name a data file with its MD5 and item count";
inline constexpr const char* kNoMd5 =
    "OpenSSL is configured without MD5, which AWS's export format needs";
inline constexpr system::Sentence<1> kOtherOutputFormat{
    "it is in the format {format}; only DYNAMODB_JSON and ION can be imported"};
inline constexpr system::Sentence<1> kOtherExportType{
    "it is of type {type}; only FULL_EXPORT can be imported"};
std::string other_item_count(std::string_view path, std::uint64_t found, std::uint64_t told);

// ---- an item that a format cannot carry --------------------------------------------------------

// `item` is its JSON. `type` is the type without a form, such as "SS".
inline constexpr system::Sentence<3> kInexpressible{
    "{format} cannot represent type {type} of the item {item}; --format json-typed can"};

}  // namespace magneto::server::formats::messages
