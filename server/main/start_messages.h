#pragma once

#include <string>
#include <string_view>

#include "server/system/sentence.h"

// Messages of the server's start.
namespace magneto::server::main::messages {

inline constexpr const char* kEndpointWithoutToken =
    "--endpoint needs the token of that server's control interface: give it with --control-token";
inline constexpr const char* kAgentsWithoutControl =
    "agents use the control interface: leave out --no-control and --mcp off";
inline constexpr const char* kNoThread = "cannot start a thread";
inline constexpr system::Sentence<1> kReachable{
    "other machines can reach {address}, and the server does not check credentials: every client that can connect can read and change all data"};
inline constexpr system::Sentence<1> kReachableMetrics{
    "other machines can reach {address}: /metrics shows table names to every client, without credentials; --no-metrics removes it"};
// Files in which earlier versions stored jobs, positions and unfinished work. `without`: one of the
// consequences below.
inline constexpr system::Sentence<2> kNoteFileUnreadable{
    "cannot read {path}, which an earlier version wrote: {why}; make it readable, and start again"};
inline constexpr system::Sentence<2> kNoteFileDamaged{
    "{path}, which an earlier version wrote, is damaged: repair it, or delete it, and {without}"};
inline constexpr const char* kTablesStay =
    "tables that an earlier start left unfinished stay as they are";
inline constexpr const char* kJobIsForgotten = "the server forgets this export or import";
inline constexpr const char* kChangesAreSentAgain = "the changes of the last day are sent again";
inline constexpr system::Sentence<2> kNoteFileStays{
    "cannot delete {path}, whose content is in the store now: {why}; delete it, and start again"};
// The line that says that the server is ready. `address` is a URL; `directory` is empty if data is
// in memory; `tables` is the text about --schema.
std::string ready(std::string_view version, std::string_view address, std::string_view directory,
                  bool sync_writes, std::string_view tables);

// `holder`: the address of the active server; `address`: of this one.
std::string waits_for_store(std::string_view holder, std::string_view address, bool relays);
inline constexpr const char* kTakenOver = "this server has taken over the store";
std::string no_store_password(std::string_view file);
std::string open_store_password(std::string_view file);
inline constexpr const char* kEndedWithoutStore =
    "the store's database cannot be reached: this server ends without an answer to the writes that wait for it (exit code 75)";
inline constexpr const char* kStoreLost =
    "another server has taken over the store: this server ends, so that it gives no outdated answer (exit code 75)";

}  // namespace magneto::server::main::messages
