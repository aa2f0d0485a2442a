#pragma once

#include <string>
#include <string_view>

// Records that cannot be read: damaged, or written by a newer version.
namespace magneto::storage::messages {

inline constexpr const char* kDamagedQueueRecord = "a record of the global index queue is damaged";
inline constexpr const char* kDamagedIndexPosition =
    "the position of an index in the change log is damaged";
inline constexpr const char* kDamagedIndexEntry = "an entry of an index is damaged";
inline constexpr const char* kDamagedStreamRecord = "a stream record is damaged";
inline constexpr const char* kDamagedStamp = "the stamp of an item of a global table is damaged";
inline constexpr const char* kDamagedHistory =
    "a record of what point-in-time recovery keeps is damaged";
inline constexpr const char* kDamagedDatabaseName = "the record of a database's name is damaged";
inline constexpr const char* kDamagedClientToken =
    "the record of a transaction's client token is damaged";
inline constexpr const char* kNoteOutOfBounds =
    "the server has more than 100,000 notes, or a note of more than 8 MB or with a name of more than 512 bytes";
std::string newer_queue_record(unsigned version);
std::string newer_stream_record(unsigned format);

// A damaged schema: its kind and its fault.
inline constexpr const char* kTableSchema = "the table schema";
inline constexpr const char* kStreamSchema = "the schema of a stream";
inline constexpr const char* kBackupRecord = "the record of a backup";
inline constexpr const char* kHistoryRecord = "the record of a point-in-time history";
inline constexpr const char* kNoTime = "not a time";
inline constexpr const char* kEndsEarly = "it ends early";
inline constexpr const char* kNoFlag = "not a flag";
inline constexpr const char* kUnknownKind = "unknown kind";
inline constexpr const char* kNoFormat = "no format";
inline constexpr const char* kBytesLeft = "bytes at its end";
std::string damaged_schema(std::string_view schema, std::string_view damage);
std::string newer_schema(std::string_view schema, unsigned format, unsigned newest);

}  // namespace magneto::storage::messages
