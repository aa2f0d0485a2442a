#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages to the user about copies. `why`: the reason that an endpoint gives.
namespace magneto::server::tools::messages {

// ---- the command line --------------------------------------------------------------------------

inline constexpr const char* kUntilWithoutFollow = "--until-caught-up belongs to --follow";
inline constexpr const char* kEnableWithoutFollow = "--enable-stream belongs to --follow";
inline constexpr const char* kFilterWithFollow =
    "--filter cannot be combined with --follow: the filter's result for an item after a change is not known";
inline constexpr const char* kValuesWithoutFilter =
    "--filter-names and --filter-values belong to --filter";
inline constexpr const char* kFollowDirectory =
    "--follow needs a server to follow; no other process can change a data directory that this command has open";
inline constexpr const char* kVerifyEndless =
    "--verify with --follow needs --until-caught-up: without it there is no end at which to compare";
inline constexpr system::Sentence<1> kNoCopyEndpoint{
    "give an endpoint with {flag}, or Magneto's files with {flag}-data-dir"};
inline constexpr system::Sentence<1> kNoJsonObject{"{flag} must be a JSON object"};
inline constexpr system::Sentence<1> kSameDirectory{"source and target are both {directory}"};

// ---- the state file ----------------------------------------------------------------------------

inline constexpr system::Sentence<1> kStateInUse{"another running copy uses the state file {path}"};
inline constexpr system::Sentence<1> kNoStateFile{
    "{path} is not a state file of a copy; it is left unchanged"};
inline constexpr system::Sentence<2> kOtherCopy{
    "{path} is the state of another copy: {what} differs; give that copy's flags, or another file"};

// ---- why a table cannot be copied --------------------------------------------------------------

inline constexpr system::Sentence<3> kSameEndpoint{
    "{source} and {target} are the same server: table {table} is one table at both"};
inline constexpr system::Sentence<1> kNoTables{
    "{endpoint} has no tables to copy; some servers keep separate tables for each access key and region"};
inline constexpr system::Sentence<1> kNoTableName{
    "{endpoint} lists a table whose name DynamoDB does not allow"};
inline constexpr system::Sentence<2> kNoTableMatches{"no table of {endpoint} matches {pattern}"};
inline constexpr system::Sentence<1> kNoDescription{
    "the description of table {table} cannot be understood"};
inline constexpr system::Sentence<2> kLeftOutOfTable{"table {table} would lose a setting: {what}"};
inline constexpr system::Sentence<2> kTableVanished{"table {table} of {endpoint} no longer exists"};
inline constexpr system::Sentence<2> kTableNotActive{"table {table} is {status} at the source"};
inline constexpr system::Sentence<3> kTableDifference{
    "{setting} is {source} at the source and {target} at the target"};
inline constexpr system::Sentence<2> kDifferingTarget{"table {table} differs: {difference}"};
std::string other_time_to_live(std::string_view table, std::string_view target,
                               std::string_view source);
std::string other_stream(std::string_view table, std::string_view target, std::string_view source);
inline constexpr system::Sentence<2> kTargetNotEmpty{
    "table {table} of {endpoint} has items already"};
inline constexpr system::Sentence<1> kOtherSource{
    "table {table} of the source is not the one in the state file"};
inline constexpr system::Sentence<1> kOtherTarget{
    "table {table} of the target is not the one that this copy began to fill"};
inline constexpr system::Sentence<2> kTableReplaced{
    "table {table} of {endpoint} is no longer the one that this copy began with: it was deleted, created again, or lost with a server that keeps tables in memory; copy the table again, into an empty one and with another state file"};
inline constexpr system::Sentence<1> kNoStream{
    "table {table} has no stream to follow; --enable-stream enables one at the source, and it stays enabled"};
inline constexpr system::Sentence<2> kStreamWithoutImages{
    "the stream of table {table} has {view}; following needs NEW_IMAGE or NEW_AND_OLD_IMAGES, so disable the stream and enable it again with one of these"};
std::string too_slow(double limit, double hours, std::string_view flag, double enough);
inline constexpr system::Sentence<2> kTakenMeanwhile{
    "another client created or changed table {table} in the meantime:\n{problems}"};
inline constexpr system::Sentence<2> kWaitsFor{
    "waiting, because {endpoint} does not accept more at the moment: {why}"};
inline constexpr system::Sentence<1> kNotBegun{
    "nothing was changed, because not all tables can be copied:\n{problems}"};

// ---- what a copy would do ----------------------------------------------------------------------

inline constexpr system::Sentence<4> kWouldCopy{
    "table {table} {what}: {items} items of {bytes} bytes, as the source last counted"};
inline constexpr std::string_view kWouldMake = "would be made";
inline constexpr std::string_view kWouldFill =
    "exists, is empty and has the same settings, and would be filled";
inline constexpr std::string_view kWouldGoOn = "was begun, and would go on as the state file says";
inline constexpr std::string_view kWouldNot = "cannot be copied";
inline constexpr system::Sentence<1> kWouldAdd{"  and then {what}"};
inline constexpr system::Sentence<1> kWouldEnableStream{
    "  before that, table {table} of the source would get a stream"};
inline constexpr system::Sentence<1> kTimeToLiveBy{"time to live by {attribute}"};
inline constexpr system::Sentence<1> kStreamOf{"a stream of {view}"};
inline constexpr std::string_view kProtection = "deletion protection";

// ---- streams that are followed -----------------------------------------------------------------

inline constexpr system::Sentence<1> kChangesLost{
    "changes of table {table} are no longer in its stream, which keeps them for a day; copy the table again, into an empty one and with another state file"};
inline constexpr system::Sentence<1> kOtherStreamNow{
    "the stream of table {table} is not the one from when the copy began; copy the table again, into an empty one and with another state file"};
inline constexpr system::Sentence<1> kStreamOff{
    "the stream of table {table} was disabled; its changes up to then are applied, later changes are not known"};
inline constexpr system::Sentence<1> kNoStreamRecord{
    "the stream of table {table} has a record without key or new image"};
std::string follow_progress(std::uint64_t changes, double per_second, bool is_caught_up);
std::string caught_up(std::uint64_t changes);
std::string followed(std::uint64_t changes);

// ---- progress and results, without a line feed -------------------------------------------------

inline constexpr system::Sentence<1> kGoingOn{"continuing from the state in {path}"};
std::string limited(std::string_view endpoint, double units, std::string_view flag);
// `share`: the completed part of the table, by the source's last count; nullopt if unknown.
std::string copy_progress(std::string_view table, std::size_t number, std::size_t tables,
                          std::optional<double> share, std::uint64_t items, double per_second);
std::string table_copied(std::string_view table, std::uint64_t items, std::string_view digest);
std::string table_was_copied(std::string_view table, std::uint64_t items);
std::string digest_differs(std::string_view table, std::uint64_t read, std::uint64_t written);
inline constexpr system::Sentence<1> kVerifyProgress{"table {table} is verified"};
std::string table_verified(std::string_view table, std::uint64_t items, std::string_view digest);
std::string table_differs(std::string_view table, std::uint64_t source, std::uint64_t target);
inline constexpr std::string_view kNoDifferenceFound =
    "  no differing item was found: the tables are changing, or the target has items that the filter excludes";
inline constexpr std::string_view kMayHaveExpired =
    "  the table has a time to live: expired items may already be deleted in one of the two tables";
inline constexpr system::Sentence<2> kItemMissing{"  {table}: the target does not have {key}"};
inline constexpr system::Sentence<2> kItemTooMany{"  {table}: the source does not have {key}"};
inline constexpr system::Sentence<2> kItemDiffers{"  {table}: {key} differs"};
inline constexpr system::Sentence<1> kVerificationThrottled{
    "{endpoint} repeatedly leaves keys of BatchGetItem unprocessed"};
std::string copy_done(std::size_t tables, std::uint64_t items, double seconds);
std::string copy_stopped(std::string_view why, std::size_t tables_done, std::size_t tables,
                         std::uint64_t items);
inline constexpr std::string_view kAsked = "The copy was asked to end";
inline constexpr system::Sentence<1> kCanGoOn{
    "The same command with --state {path} continues from there"};
inline constexpr std::string_view kCannotGoOn =
    "Without --state the copy cannot continue from there: the copied items stay, and must be deleted before another copy";
inline constexpr system::Sentence<4> kItemNotTaken{
    "{endpoint} does not accept the item {item} in table {table}: {why}"};

}  // namespace magneto::server::tools::messages
