#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/encoding/digest.h"

// Every key Magneto writes, drawn once. Integers are big-endian, so memcmp order is numeric order.
//
//   kItems     table-number:4 0:2 hash:8 part part?            an item; parts: partition, sort key
//   kIndexes   table-number:4 index-number:2 hash:8 part{1,8} hash:8 part part?
//                                                              an index entry: index key, then the
//                                                              table key as tie-break
//   kQueue     sequence:8                                      a record of the change log
//   kExpiry    table-number:4 queue-number:2 expiry:8 hash:8 part part?
//                                                              an item that expires: when, in
//                                                              seconds since the epoch, and the end
//                                                              of its key; without a value
//   kStreams   stream-number:4 shard-number:4 sequence:8      a stream record (stream_record.h)
//   kSystem    "format"                                        format version of the directory
//              "table/" name                                   a table's schema; of a table of the
//              "table/" 00 database:4 name                     database with that number: the main
//                                                              one has the number 0, none in keys
//              "database/" number:4                            the name of a database
//              "dropped/" number:4 index:2                     a table or index to reclaim
//              "stream/" number:4 database:4?                  a stream and its shards; the number
//                                                              of its database unless that is 0
//              "counter/" name                                 last number given out
//              "statistics/" number:4 index:2                  item count and bytes
//              "position/" number:4 index:2                    the number in the change log from
//                                                              which on it is to be applied to an
//                                                              index (tree_index.h)
//              "transaction/" expiry:8 digest:16               a transaction carried out under a
//                                                              client token: when that expires, in
//                                                              milliseconds since the epoch, and
//                                                              its digest; the digest:16 of what
//                                                              was asked for, and a receipt
//              "token/" client token                           the same as format 2 had it: hash:8
//                                                              expiry:8 receipt
//   part     := escaped terminator       terminator orders below every continuation
//   escaped  := S, B: bytes with 00 written as 00 FF           terminator 00 01
//             | N: number bytes (none but the first is 00)     terminator 00
//   hash     := partition hash of the partition attributes' bytes; in the tie-break of both parts
//   of
//               the table key (captured facts, "Partition hash ...")
namespace magneto::storage {

inline constexpr std::size_t kTreePrefixSize = 6;  // table-number index-number
inline constexpr std::size_t kHashSize = 8;
inline constexpr std::string_view kTransactionPrefix = "transaction/";
inline constexpr std::string_view kTokenPrefixOfFormat2 = "token/";
inline constexpr std::string_view kStreamPrefix = "stream/";
inline constexpr std::string_view kTablePrefix = "table/";
inline constexpr std::string_view kDatabasePrefix = "database/";

void append_uint16(std::string& out, std::uint16_t value);
void append_uint32(std::string& out, std::uint32_t value);
void append_uint64(std::string& out, std::uint64_t value);
std::uint64_t read_uint64(std::string_view bytes);
std::uint32_t read_uint32(std::string_view bytes);
std::uint16_t read_uint16(std::string_view bytes);

std::string tree_prefix(std::uint32_t table_number, std::uint16_t index_number);

// The smallest string greater than every string that starts with `prefix`; empty when there is
// none.
std::string prefix_successor(std::string prefix);

// The upper half of the partition hash in a key of an item or index entry; bytes that a bound cut
// short lacks count as zeros.
std::uint32_t leading_hash(std::string_view key);

std::string queue_key(std::uint64_t sequence);
std::string shard_prefix(std::uint32_t stream_number, std::uint32_t shard_number);
std::string stream_record_key(std::uint32_t stream_number, std::uint32_t shard_number,
                              std::uint64_t sequence);
std::uint64_t sequence_of(std::string_view stream_record_key);
std::string stream_key(std::uint32_t database, std::uint32_t stream_number);

// Where the items that expire at `expiry` (not negative) begin in the expiry queue `prefix` is the
// tree_prefix() of, and one of them.
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
std::uint32_t database_of_stream(std::string_view stream_key);
std::uint32_t database_in(std::string_view database_key);
std::string dropped_record_key(std::uint32_t table_number, std::uint16_t index_number);
std::string counter_key(std::string_view name);
std::string statistics_key(std::uint32_t table_number, std::uint16_t index_number);
std::string position_key(std::uint32_t table_number, std::uint16_t index_number);

}  // namespace magneto::storage
