#include "storage/encoding/keyspace.h"

#include <bit>
#include <cstring>

namespace magneto::storage {

namespace {

// Between the processor's order of bytes and the one of keys, which memcmp orders.
std::uint16_t swapped(std::uint16_t value) { return __builtin_bswap16(value); }
std::uint32_t swapped(std::uint32_t value) { return __builtin_bswap32(value); }
std::uint64_t swapped(std::uint64_t value) { return __builtin_bswap64(value); }
static_assert(std::endian::native == std::endian::little);

template <typename Integer>
void append_integer(std::string& out, Integer value) {
  const Integer bytes = swapped(value);
  out.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
}

template <typename Integer>
Integer read_integer(std::string_view bytes) {
  Integer value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return swapped(value);
}

// 0 if the key ends before it.
std::uint32_t number_at(std::string_view key, std::size_t offset) {
  if (key.size() < offset + sizeof(std::uint32_t)) return 0;
  return read_integer<std::uint32_t>(key.substr(offset));
}

}  // namespace

void append_uint16(std::string& out, std::uint16_t value) { append_integer(out, value); }
void append_uint32(std::string& out, std::uint32_t value) { append_integer(out, value); }
void append_uint64(std::string& out, std::uint64_t value) { append_integer(out, value); }

std::uint64_t read_uint64(std::string_view bytes) { return read_integer<std::uint64_t>(bytes); }
std::uint32_t read_uint32(std::string_view bytes) { return read_integer<std::uint32_t>(bytes); }
std::uint16_t read_uint16(std::string_view bytes) { return read_integer<std::uint16_t>(bytes); }

std::string tree_prefix(std::uint32_t table_number, std::uint16_t index_number) {
  std::string key;
  key.reserve(kTreePrefixSize);
  append_uint32(key, table_number);
  append_uint16(key, index_number);
  return key;
}

std::string prefix_successor(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

std::uint32_t leading_hash(std::string_view key) {
  if (key.size() >= kTreePrefixSize + sizeof(std::uint32_t)) {
    return read_uint32(key.substr(kTreePrefixSize));
  }
  std::string padded(key.size() > kTreePrefixSize ? key.substr(kTreePrefixSize)
                                                  : std::string_view());
  padded.resize(sizeof(std::uint32_t));
  return read_uint32(padded);
}

std::string queue_key(std::uint64_t sequence) {
  std::string key;
  append_uint64(key, sequence);
  return key;
}

std::string expiry_bound(std::string_view prefix, std::int64_t expiry) {
  std::string key(prefix);
  append_uint64(key, static_cast<std::uint64_t>(expiry));
  return key;
}

std::string expiry_key(std::string_view prefix, std::int64_t expiry, std::string_view item_key) {
  return expiry_bound(prefix, expiry).append(item_key.substr(kTreePrefixSize));
}

std::int64_t expiry_in(std::string_view expiry_key) {
  return static_cast<std::int64_t>(read_uint64(expiry_key.substr(kTreePrefixSize)));
}

std::string item_key_in(std::string_view expiry_key) {
  return tree_prefix(read_uint32(expiry_key), 0)
      .append(expiry_key.substr(kTreePrefixSize + sizeof(std::int64_t)));
}

std::string shard_prefix(std::uint32_t stream_number, std::uint32_t shard_number) {
  std::string key;
  key.reserve(2 * sizeof(std::uint32_t) + sizeof(std::uint64_t));
  append_uint32(key, stream_number);
  append_uint32(key, shard_number);
  return key;
}

std::string stream_record_key(std::uint32_t stream_number, std::uint32_t shard_number,
                              std::uint64_t sequence) {
  std::string key = shard_prefix(stream_number, shard_number);
  append_uint64(key, sequence);
  return key;
}

std::uint64_t sequence_of(std::string_view stream_record_key) {
  return read_uint64(stream_record_key.substr(2 * sizeof(std::uint32_t)));
}

std::string stream_key(std::uint32_t database, std::uint32_t stream_number) {
  std::string key(kStreamPrefix);
  append_uint32(key, stream_number);
  if (database != 0) append_uint32(key, database);
  return key;
}

std::uint32_t database_of_stream(std::string_view stream_key) {
  return number_at(stream_key, kStreamPrefix.size() + sizeof(std::uint32_t));
}

std::string transaction_key(std::uint64_t expiry, const Digest& token) {
  std::string key(kTransactionPrefix);
  append_uint64(key, expiry);
  return key.append(bytes_of(token));
}

// Unambiguous, because no table's name begins with a zero.
std::string table_record_key(std::uint32_t database, std::string_view table_name) {
  std::string key(kTablePrefix);
  if (database != 0) {
    key.push_back('\0');
    append_uint32(key, database);
  }
  return key.append(table_name);
}

std::uint32_t database_of_table(std::string_view table_record_key) {
  const std::string_view rest = table_record_key.substr(kTablePrefix.size());
  return rest.starts_with('\0') ? number_at(rest, 1) : 0;
}

std::string_view table_name_in(std::string_view table_record_key) {
  const std::string_view rest = table_record_key.substr(kTablePrefix.size());
  return rest.starts_with('\0') ? rest.substr(1 + sizeof(std::uint32_t)) : rest;
}

std::string database_key(std::uint32_t number) {
  std::string key(kDatabasePrefix);
  append_uint32(key, number);
  return key;
}

std::uint32_t database_in(std::string_view database_key) {
  return number_at(database_key, kDatabasePrefix.size());
}

std::string backup_record_key(std::uint32_t database, std::uint32_t backup_number) {
  std::string key(kBackupPrefix);
  append_uint32(key, database);
  append_uint32(key, backup_number);
  return key;
}

std::uint32_t database_of_backup(std::string_view backup_record_key) {
  return number_at(backup_record_key, kBackupPrefix.size());
}

std::uint32_t number_of_backup(std::string_view backup_record_key) {
  return number_at(backup_record_key, kBackupPrefix.size() + sizeof(std::uint32_t));
}

std::string history_record_key(std::uint32_t history_number) {
  std::string key("history/");
  append_uint32(key, history_number);
  return key;
}

std::string history_eras_key(std::uint32_t history_number) {
  std::string key(kHistoryErasPrefix);
  append_uint32(key, history_number);
  return key;
}

std::string history_eras_key(std::uint32_t history_number, std::uint64_t version) {
  std::string key = history_eras_key(history_number);
  append_uint64(key, version);
  return key;
}

std::string history_key(std::string_view prefix, std::string_view item_key, std::uint64_t time,
                        std::uint32_t ordinal) {
  std::string key;
  key.reserve(item_key.size() + kMomentSize);
  key.append(prefix).append(item_key.substr(kTreePrefixSize));
  append_uint64(key, time);
  append_uint32(key, ordinal);
  return key;
}

std::string dropped_record_key(std::uint32_t table_number, std::uint16_t index_number) {
  return "dropped/" + tree_prefix(table_number, index_number);
}

std::string counter_key(std::string_view name) { return std::string("counter/").append(name); }

std::string statistics_key(std::uint32_t table_number, std::uint16_t index_number) {
  return "statistics/" + tree_prefix(table_number, index_number);
}

std::string vector_statistics_key(std::uint32_t table_number) {
  return statistics_key(table_number, 0).append("vectors");
}

std::string position_key(std::uint32_t table_number, std::uint16_t index_number) {
  return "position/" + tree_prefix(table_number, index_number);
}

}  // namespace magneto::storage
