#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What control says: to who calls it, to who starts the server, and in the log.
namespace magneto::server::admin::messages {

// Who may ask.
inline constexpr std::string_view kWantsToken =
    "give the token that the server printed at its start: Authorization: Bearer TOKEN";
inline constexpr std::string_view kWrongToken =
    "this is not the token of this server, which it printed at its start or was given with --control-token";
inline constexpr std::string_view kForeignControlHost =
    "Host is not a name of this server: --allowed-hosts adds names";
inline constexpr std::string_view kForeignControlOrigin =
    "pages of other origins may not ask this, whatever --cors says";

// What was asked for.
// `paths`: those that there are.
std::string no_such_path(std::string_view paths);
std::string not_this_method(std::string_view methods);
std::string too_long_body(std::size_t most);
inline constexpr std::string_view kCodedBody = "send the body without Content-Encoding";
inline constexpr std::string_view kNotJson = "the body is not valid JSON";
inline constexpr std::string_view kBodyNoObject = "the body must be a JSON object";
std::string unknown_member(std::string_view name, std::string_view known);
std::string repeated_member(std::string_view name);
std::string unknown_query(std::string_view known);
std::string missing_member(std::string_view name);
// `what`: one of these.
inline constexpr std::string_view kAString = "a string";
inline constexpr std::string_view kABoolean = "true or false";
inline constexpr std::string_view kAWholeNumber = "a whole number";
inline constexpr std::string_view kAnObject = "an object";
inline constexpr std::string_view kStrings = "a list of strings";
inline constexpr std::string_view kAListOfRules = "a list of fault rules";
inline constexpr std::string_view kAPort = "true, false or a number";
std::string wrong_kind(std::string_view name, std::string_view what);
std::string not_in_range(std::string_view name, std::string_view lowest, std::string_view highest);
std::string not_a_duration(std::string_view name);
std::string not_a_time(std::string_view name);
std::string too_many_elements(std::string_view name, std::size_t most);
inline constexpr std::string_view kOneOrigin = "'from' must have one of namespace, snapshot";
inline constexpr std::string_view kNoTables = "'tables' names none: leave it out for all tables";
inline constexpr std::string_view kLongTableName = "'tables' must have names of tables";
inline constexpr std::string_view kOneClockMember =
    "give \"now\", \"advance\" or \"frozen\", and not both of the first two";
inline constexpr std::string_view kJournalFormat = "the query's format can be json or jsonl";
inline constexpr std::string_view kTooManyWait =
    "too many wait for records of journals: ask again, without wait";
inline constexpr std::string_view kANumber = "a number";
inline constexpr std::string_view kNoConsistency =
    "give \"index_lag\", \"read_staleness\", \"replication_lag\", \"ttl_delay\" or several of them; DELETE brings all back";
std::string not_a_number(std::string_view name);
std::string not_settled(std::string_view after);
inline constexpr std::string_view kControlFailed =
    "this failed for a reason that the log of the server tells";

// Ports of namespaces.
std::string too_many_ports(std::size_t most);
std::string port_of_namespace_failed(std::string_view why);

// The start.
// What `url` leads to wants the token; `file` holds it too, unless it is empty.
std::string control_at(std::string_view url, std::string_view token, std::string_view file);
std::string control_at(std::string_view url);  // with the token that was given
std::string token_file_failed(std::string_view path, std::string_view why);
inline constexpr std::string_view kNotPrivate = "others could write to its folder";
// The value is not repeated.
std::string not_a_token();
inline constexpr const char* kTokenWithoutControl =
    "--control-token is for control, which --no-control removes: leave one out";

}  // namespace magneto::server::admin::messages
