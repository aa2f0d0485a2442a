#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/encoding/digest.h"

// All keys that Magneto writes. "x:4" is x as an integer of 4 bytes, big-endian, so memcmp order is
// numeric order; "x?" may be missing; {1,8} is the number of repetitions.
//
//   kItems    table-number:4 0:2 hash:8 part part?
//             an item; the parts are its partition key and its sort key
//   kIndexes  table-number:4 index-number:2 hash:8 part{1,8} hash:8 part part?
//             an index entry: the index key, then the item's key as tie-break
//             table-number:4 stamps-number:2 hash:8 part part?
//             the stamp of an item of a table with replicas: time:8 deleted:1 region
//   kQueue    sequence:8
//             a record of the change log: the pending changes of one commit to asynchronous indexes
//   kExpiry   table-number:4 queue-number:2 expiry:8 hash:8 part part?
//             an item that expires: when, in seconds since the epoch, then the rest of its key; no
//             value. Index numbers and queue numbers share one series.
//             table-number:4 queue-number:2 time:8 hash:8 part part?
//             a change to send to a replica, made at that time in microseconds since the epoch:
//             the item, or no value if it was deleted. Under another number, when an item was
//             deleted; no value
//             history-number:4 segment:2 hash:8 part part? time:8 ordinal:4
//             an item before a change: its value, empty if it did not exist (storage/history);
//             numbers of histories and tables share one series
//   kStreams  stream-number:4 shard-number:4 sequence:8
//             a stream record (storage/stream/stream_record.h)
//   kSystem   "table/" name
//             "table/" 00 database:4 name
//                 a table's schema; the second form in databases other than the main one, 0
//             "database/" number:4
//                 the name of a database
//             "backup/" database:4 table-number:4
//                 a backup of a table; its items are in kItems under that number
//                 (backup_encoding.h)
//             "history/" history-number:4
//                 the segments of a history (storage/history/history_state.h)
//             "history-eras/" history-number:4 version:8
//                 its eras, if they are newer than in the record above
//             "dropped/" table-number:4 number:2
//                 data to reclaim: a table's or backup's items (0), an index, a queue, the
//                 stamps; no value
//             "stream/" number:4 database:4?
//                 a stream and its shards; the database unless it is the main one
//             "counter/" name
//                 the last number assigned; "clean-close" has no number and means that the
//                 statistics are exact
//             "statistics/" table-number:4 index-number:2
//                 item-count:8 bytes:8
//             "statistics/" table-number:4 0:2 "vectors"
//                 bytes:8 of a table with vector indexes (index/statistics.h)
//             "position/" table-number:4 index-number:2
//                 sequence:8, from which on the change log must be applied to the index
//             "note/" name
//                 a note of the server (storage/notes.h)
//             "transaction/" expiry:8 token-digest:16
//                 a transaction carried out under a client token, until the expiry in milliseconds
//                 since the epoch: request-digest:16 receipt
//             "shared-token/" token-digest:16
//                 the same, in a store that servers share: expiry:8 request-digest:16 receipt
//             "token/" client-token
//                 the same as written by format 2: hash:8 expiry:8 receipt
//
//   part     := escaped terminator       the terminator orders below every continuation
//   escaped  := S, B: bytes, with 00 written as 00 FF             terminator 00 01
//             | N: number bytes, of which only the first is 00    terminator 00
//   hash     := partition hash of the partition attributes' bytes; in the tie-break of both parts
//               of the table key (captured facts, "Partition hash ...")
namespace magneto::storage {

inline constexpr std::size_t kTreePrefixSize = 6;  // table-number index-number
inline constexpr std::size_t kHashSize = 8;
inline constexpr std::string_view kTransactionPrefix = "transaction/";
inline constexpr std::string_view kTokenPrefixOfFormat2 = "token/";
inline constexpr std::string_view kSharedTokenPrefix = "shared-token/";
inline constexpr std::string_view kNotePrefix = "note/";
inline constexpr std::string_view kStreamPrefix = "stream/";
// Names of counters.
inline constexpr std::string_view kTableCounter = "table";
inline constexpr std::string_view kStreamCounter = "stream";
inline constexpr std::string_view kTablePrefix = "table/";
inline constexpr std::string_view kDatabasePrefix = "database/";
inline constexpr std::string_view kBackupPrefix = "backup/";

void append_uint16(std::string& out, std::uint16_t value);
void append_uint32(std::string& out, std::uint32_t value);
void append_uint64(std::string& out, std::uint64_t value);
std::uint64_t read_uint64(std::string_view bytes);
std::uint32_t read_uint32(std::string_view bytes);
std::uint16_t read_uint16(std::string_view bytes);

std::string tree_prefix(std::uint32_t table_number, std::uint16_t index_number);

// The smallest string greater than every string that starts with `prefix`; empty: there is none.
std::string prefix_successor(std::string prefix);

// The upper half of the partition hash in a key of an item or index entry; bytes missing from a
// truncated bound count as zeros.
std::uint32_t leading_hash(std::string_view key);

std::string queue_key(std::uint64_t sequence);
std::string shard_prefix(std::uint32_t stream_number, std::uint32_t shard_number);
std::string stream_record_key(std::uint32_t stream_number, std::uint32_t shard_number,
                              std::uint64_t sequence);
std::uint64_t sequence_of(std::string_view stream_record_key);
std::string stream_key(std::uint32_t database, std::uint32_t stream_number);

// The key at which the items that expire at `expiry` (not negative) begin in an expiry queue, and
// the key of one of them. `prefix` is the queue's tree_prefix().
std::string expiry_bound(std::string_view prefix, std::int64_t expiry);
std::string expiry_key(std::string_view prefix, std::int64_t expiry, std::string_view item_key);
// The parts of an expiry_key().
std::int64_t expiry_in(std::string_view expiry_key);
std::string item_key_in(std::string_view expiry_key);

std::string transaction_key(std::uint64_t expiry, const Digest& token);
std::string table_record_key(std::uint32_t database, std::string_view table_name);
std::string database_key(std::uint32_t number);
// The numbers of databases in a table_record_key(), a stream_key() and a database_key().
std::uint32_t database_of_table(std::string_view table_record_key);
std::string_view table_name_in(std::string_view table_record_key);
std::uint32_t database_of_stream(std::string_view stream_key);
std::uint32_t database_in(std::string_view database_key);
std::string backup_record_key(std::uint32_t database, std::uint32_t backup_number);
// The numbers in such a key.
std::uint32_t database_of_backup(std::string_view backup_record_key);
std::uint32_t number_of_backup(std::string_view backup_record_key);
std::string history_record_key(std::uint32_t history_number);
inline constexpr std::string_view kHistoryErasPrefix = "history-eras/";
std::string history_eras_key(std::uint32_t history_number);  // common prefix of a history's keys
std::string history_eras_key(std::uint32_t history_number, std::uint64_t version);
// The key of the record of a change to the item under `item_key`, in a history segment. `prefix` is
// the segment's tree_prefix(); `time` is in microseconds since the epoch.
std::string history_key(std::string_view prefix, std::string_view item_key, std::uint64_t time,
                        std::uint32_t ordinal);
inline constexpr std::size_t kMomentSize = 12;  // time ordinal
std::string dropped_record_key(std::uint32_t table_number, std::uint16_t index_number);
std::string counter_key(std::string_view name);
std::string statistics_key(std::uint32_t table_number, std::uint16_t index_number);
std::string vector_statistics_key(std::uint32_t table_number);
std::string position_key(std::uint32_t table_number, std::uint16_t index_number);

}  // namespace magneto::storage
