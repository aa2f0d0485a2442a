#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// A store in a PostgreSQL database. `why`: the message of the database or of libpq.
namespace magneto::storage::messages {

std::string libpq_missing(std::string_view why);
std::string libpq_too_old(std::string_view function);
std::string bad_store_url(std::string_view why);
inline constexpr const char* kPasswordInStoreUrl =
    "--store must not have a password, because other users of this machine can read it: use --store-password-file or PGPASSFILE";

inline constexpr const char* kOutOfMemory = "out of memory";
std::string store_unreachable(std::string_view store, std::string_view why);
std::string store_lost(std::string_view why);
std::string store_refused(std::string_view why);
std::string newer_store(int format, int newest);
std::string too_many_snapshots(int limit);
std::string key_too_long(std::size_t bytes, std::size_t limit);
inline constexpr const char* kNoFsync =
    "the store's database has fsync = off: acknowledged writes can be lost when its machine fails";
inline constexpr const char* kNoSynchronousCommit =
    "the store's database has synchronous_commit = off: acknowledged writes can be lost when the database ends";
inline constexpr const char* kNoSynchronousStandby =
    "no standby of the store's database is synchronous (synchronous_standby_names): acknowledged writes can be lost with the primary";
inline constexpr const char* kLeaseUnrenewed =
    "the store's database has not answered for most of --lease-ms: requests are refused until it does";
inline constexpr const char* kLeaseRenewed =
    "the store's database answers again: requests are served";
inline constexpr const char* kStoreTaken = "another server has taken over the store";
inline constexpr const char* kWaitForLeaseEnded =
    "the server was stopped before it could take over the store";
inline constexpr const char* kSnapshotLost =
    "the connection that held a snapshot of the store is lost";
std::string store_in_use_by_one(std::string_view address);
std::string store_in_use_by_group(std::string_view address);
std::string clock_differs(double seconds);
std::string clock_refused(double seconds, std::int64_t limit);
std::string too_many_servers(std::size_t limit);
inline constexpr const char* kNoPauseInGroup =
    "scopes cannot be paused in a store that several servers share";
inline constexpr const char* kStoreFull = "the disk of the store's database is full";
inline constexpr const char* kStoreUnreachable = "the store's database cannot be reached";

}  // namespace magneto::storage::messages
