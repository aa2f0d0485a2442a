#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What the user is told of copies. `why`: what an endpoint says.
namespace magneto::server::tools::messages {

// ---- the command line --------------------------------------------------------------------------

inline constexpr const char* kUntilWithoutFollow = "--until-caught-up belongs to --follow";
inline constexpr const char* kEnableWithoutFollow = "--enable-stream belongs to --follow";
inline constexpr const char* kFilterWithFollow =
    "--filter cannot be combined with --follow: what the filter would say of an item after a change is not known";
inline constexpr const char* kValuesWithoutFilter =
    "--filter-names and --filter-values belong to --filter";
inline constexpr const char* kFollowDirectory =
    "--follow wants a server to follow; nobody changes a data directory that this command has open";
inline constexpr const char* kVerifyEndless =
    "--verify of a copy that follows needs --until-caught-up, or there is no end at which to compare";
std::string no_copy_endpoint(std::string_view flag);
std::string no_json_object(std::string_view flag);
std::string same_directory(std::string_view directory);

// ---- the state file ----------------------------------------------------------------------------

std::string state_in_use(std::string_view path);
std::string no_state_file(std::string_view path);
std::string other_copy(std::string_view path, std::string_view what);

// ---- what keeps tables from being copied -------------------------------------------------------

std::string same_endpoint(std::string_view source, std::string_view target, std::string_view table);
std::string no_tables(std::string_view endpoint);
std::string no_table_name(std::string_view endpoint);
std::string no_table_matches(std::string_view endpoint, std::string_view pattern);
std::string no_description(std::string_view table);
std::string left_out_of_table(std::string_view table, std::string_view what);
std::string table_vanished(std::string_view table, std::string_view endpoint);
std::string table_not_active(std::string_view table, std::string_view status);
std::string table_difference(std::string_view setting, std::string_view source,
                             std::string_view target);
std::string differing_target(std::string_view table, std::string_view difference);
std::string other_time_to_live(std::string_view table, std::string_view target,
                               std::string_view source);
std::string other_stream(std::string_view table, std::string_view target, std::string_view source);
std::string target_not_empty(std::string_view table, std::string_view endpoint);
std::string other_source(std::string_view table);
std::string other_target(std::string_view table);
std::string table_replaced(std::string_view table, std::string_view endpoint);
std::string no_stream(std::string_view table);
std::string stream_without_images(std::string_view table, std::string_view view);
std::string too_slow(double limit, double hours, std::string_view flag, double enough);
std::string taken_meanwhile(std::string_view table, std::string_view problems);
std::string waits_for(std::string_view endpoint, std::string_view why);
std::string not_begun(std::string_view problems);

// ---- what a copy would do ----------------------------------------------------------------------

std::string would_copy(std::string_view table, std::string_view what, std::int64_t items,
                       std::int64_t bytes);
inline constexpr std::string_view kWouldMake = "would be made";
inline constexpr std::string_view kWouldFill = "is there, empty and alike, and would be filled";
inline constexpr std::string_view kWouldGoOn = "was begun, and would go on as the state file says";
inline constexpr std::string_view kWouldNot = "cannot be copied";
std::string would_add(std::string_view what);
std::string would_enable_stream(std::string_view table);
std::string time_to_live_by(std::string_view attribute);
std::string stream_of(std::string_view view);
inline constexpr std::string_view kProtection = "deletion protection";

// ---- streams that are followed -----------------------------------------------------------------

std::string changes_lost(std::string_view table);
std::string other_stream_now(std::string_view table);
std::string stream_off(std::string_view table);
std::string no_stream_record(std::string_view table);
std::string follow_progress(std::uint64_t changes, double per_second, bool is_caught_up);
std::string caught_up(std::uint64_t changes);
std::string followed(std::uint64_t changes);

// ---- how it goes, without an end of line -------------------------------------------------------

std::string going_on(std::string_view path);
std::string limited(std::string_view endpoint, double units, std::string_view flag);
// `share`: how much of the table is done, by what the source last counted; nullopt: not known.
std::string copy_progress(std::string_view table, std::size_t number, std::size_t tables,
                          std::optional<double> share, std::uint64_t items, double per_second);
std::string table_copied(std::string_view table, std::uint64_t items, std::string_view digest);
std::string table_was_copied(std::string_view table, std::uint64_t items);
std::string digest_differs(std::string_view table, std::uint64_t read, std::uint64_t written);
std::string verify_progress(std::string_view table);
std::string table_verified(std::string_view table, std::uint64_t items, std::string_view digest);
std::string table_differs(std::string_view table, std::uint64_t source, std::uint64_t target);
inline constexpr std::string_view kNoDifferenceFound =
    "  no item that differs was found: the tables change, or the target has items that the filter leaves out";
inline constexpr std::string_view kMayHaveExpired =
    "  the table has a time to live: items that have expired may be gone at one of the two";
std::string item_missing(std::string_view table, std::string_view key);
std::string item_too_many(std::string_view table, std::string_view key);
std::string item_differs(std::string_view table, std::string_view key);
std::string verification_throttled(std::string_view endpoint);
std::string copy_done(std::size_t tables, std::uint64_t items, double seconds);
std::string copy_stopped(std::string_view why, std::size_t tables_done, std::size_t tables,
                         std::uint64_t items);
inline constexpr std::string_view kAsked = "The copy was asked to end";
std::string can_go_on(std::string_view path);
inline constexpr std::string_view kCannotGoOn =
    "Without --state it cannot go on from there: what was copied stays, and would have to be removed first";
std::string item_not_taken(std::string_view endpoint, std::string_view table, std::string_view item,
                           std::string_view why);

}  // namespace magneto::server::tools::messages
