#pragma once

#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Texts of control: for its clients, for the user that starts the server, and for the log.
namespace magneto::server::admin::messages {

inline constexpr const char* kNotWithShared =
    "this is not supported where several servers share the store (--shared): other servers would not know of it";

// Refused senders.
inline constexpr std::string_view kWantsToken =
    "send the token that the server printed when it started: Authorization: Bearer TOKEN";
inline constexpr std::string_view kWrongToken =
    "wrong token: send the one that the server printed when it started, or the value of --control-token";
inline constexpr std::string_view kForeignControlHost =
    "Host is not a name of this server: --allowed-hosts adds names";
inline constexpr std::string_view kForeignControlOrigin =
    "pages of other origins cannot use the control interface, and --cors does not change that";

// Of a server that waits for a store of --store.
inline constexpr system::Sentence<1> kWaitsForStore{
    "this server waits for its store: the server at {address} is the active one"};

// Refused requests. `paths`: all paths of control.
inline constexpr system::Sentence<1> kNoSuchPath{"unknown path; the paths are {paths}"};
inline constexpr system::Sentence<1> kNotThisMethod{"this path takes {methods}"};
inline constexpr system::Sentence<1> kTooLongBody{"the body has more than {most} bytes"};
inline constexpr std::string_view kCodedBody = "send the body without Content-Encoding";
inline constexpr std::string_view kNotJson = "the body is not valid JSON";
inline constexpr std::string_view kBodyNoObject = "the body must be a JSON object";
std::string unknown_member(std::string_view name, std::string_view known);
inline constexpr system::Sentence<1> kRepeatedMember{"'{name}' is given twice"};
std::string unknown_query(std::string_view known);
inline constexpr system::Sentence<1> kMissingMember{"'{name}' is missing"};
// `what`: one of these.
inline constexpr std::string_view kAString = "a string";
inline constexpr std::string_view kABoolean = "true or false";
inline constexpr std::string_view kAWholeNumber = "a whole number";
inline constexpr std::string_view kAnObject = "an object";
inline constexpr std::string_view kStrings = "a list of strings";
inline constexpr std::string_view kAListOfRules = "a list of fault rules";
inline constexpr std::string_view kAPort = "true, false or a number";
inline constexpr system::Sentence<2> kWrongKind{"'{name}' must be {what}"};
inline constexpr system::Sentence<3> kNotInRange{"'{name}' must be from {lowest} to {highest}"};
inline constexpr system::Sentence<1> kNotADuration{
    "'{name}' must be a duration in a string, such as 250ms, 10s, 1h30m, 7d"};
inline constexpr system::Sentence<1> kNotATime{
    "'{name}' must be a time in a string, such as 2026-11-23T12:00:00.000Z"};
inline constexpr system::Sentence<2> kTooManyElements{"'{name}' has more than {most} elements"};
inline constexpr std::string_view kOneOrigin = "'from' must have one of namespace, snapshot";
inline constexpr std::string_view kNoTables =
    "'tables' is empty: leave it out to select all tables";
inline constexpr std::string_view kLongTableName = "'tables' must contain table names";
inline constexpr std::string_view kOneClockMember =
    "give \"now\", \"advance\" or \"frozen\", and not both of the first two";
inline constexpr std::string_view kJournalFormat = "the query's format can be json or jsonl";
inline constexpr std::string_view kTooManyWait =
    "too many requests are waiting for journal records: ask again without wait";
inline constexpr std::string_view kANumber = "a number";
inline constexpr std::string_view kNoConsistency =
    "give \"index_lag\", \"read_staleness\", \"replication_lag\", \"ttl_delay\" or several of them; DELETE resets them all";
inline constexpr system::Sentence<1> kNotANumber{"'{name}' in the query must be a whole number"};
inline constexpr system::Sentence<1> kNotSettled{
    "background work has not finished after {after}; it continues"};
inline constexpr std::string_view kParameterTexts = "an object of strings";
inline constexpr std::string_view kWrongRegion = "'region' must be a region such as us-east-1";
inline constexpr std::string_view kCopyOfItself = "'from' must name another namespace";
inline constexpr std::string_view kControlFailed = "this failed; the server's log says why";

// Ports of namespaces.
inline constexpr system::Sentence<1> kTooManyPorts{
    "{most} namespaces have ports of their own, which is the maximum: delete some"};
inline constexpr system::Sentence<1> kPortOfNamespaceFailed{"no port for the namespace: {why}"};

// The start. `url` needs the token; `file` contains it too, unless it is empty.
std::string control_at(std::string_view url, std::string_view token, std::string_view file);
inline constexpr system::Sentence<1> kControlWithGivenToken{
    "control at {url}, with the token of --control-token\n"};
inline constexpr system::Sentence<2> kTokenFileFailed{
    "the control token is not saved in {path}: {why}"};
inline constexpr std::string_view kNotPrivate = "other users can write to its folder";
// The text does not repeat the value.
inline constexpr const char* kNotAToken =
    "must be 1 to 256 of the characters A-Z a-z 0-9 - . _ ~ + / =";
inline constexpr const char* kTokenWithoutControl =
    "--control-token has no effect with --no-control: leave one of them out";

}  // namespace magneto::server::admin::messages
