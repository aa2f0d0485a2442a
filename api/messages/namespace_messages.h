#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Errors in creating, finding or changing namespaces.
namespace magneto::api::messages {

inline constexpr std::string_view kNamespaceName =
    "the name of a namespace has 1 to 128 of the characters A-Z a-z 0-9 . _ -";
std::string unknown_namespace(std::string_view name);
inline constexpr std::string_view kSnapshotName =
    "the name of a snapshot has 1 to 128 of the characters A-Z a-z 0-9 . _ -";
std::string unknown_snapshot(std::string_view name);
std::string snapshot_taken(std::string_view name);
std::string too_many_snapshots(std::size_t most);
inline constexpr std::string_view kNoRestoreOfStore =
    "the main namespace cannot be restored with --store, because its tables are in a database: restore that database, or fork the snapshot";
inline constexpr std::string_view kSnapshotInMemory =
    "main is on disk, and can be restored only from its own snapshots: make a namespace from this one";
// A warning at the server's start.
std::string unusable_snapshot(std::string_view name);
std::string too_many_open(std::size_t most);
std::string namespace_taken(std::string_view name);
std::string too_many_namespaces(std::size_t most);
// For removed namespaces that still run requests or are being destroyed.
inline constexpr std::string_view kNamespacesEnding =
    "too many removed namespaces are still being destroyed: try again in a moment";
inline constexpr std::string_view kMainStays = "the namespace main cannot be deleted";
inline constexpr std::string_view kNoMemoryForNamespace =
    "the server has too little memory for another namespace or snapshot: delete those that are not needed, or start it with a larger --memory-limit-mb";
std::string namespace_failed(std::string_view why);
std::string unknown_table(std::string_view table, std::string_view name);
// Only a few such changes run at a time (NamespaceState::kAtOnce).
inline constexpr std::string_view kStateBusy =
    "other requests are changing the state of namespaces: try again when they are done";
inline constexpr std::string_view kStillDeleting =
    "the tables are still being deleted: try again when that is done";
inline constexpr std::string_view kTruncationStopped =
    "the server is stopping: some items are still there";

}  // namespace magneto::api::messages
