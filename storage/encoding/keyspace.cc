#include "storage/encoding/keyspace.h"

namespace magneto::storage {

namespace {

template <typename Integer>
void append_integer(std::string& out, Integer value) {
  for (int shift = 8 * (static_cast<int>(sizeof(Integer)) - 1); shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(value >> shift));
  }
}

template <typename Integer>
Integer read_integer(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
  }
  return static_cast<Integer>(value);
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

std::string queue_key(std::uint64_t sequence) {
  std::string key;
  append_uint64(key, sequence);
  return key;
}

std::string token_record_key(std::string_view token) {
  return std::string(kTokenPrefix).append(token);
}

std::string table_record_key(std::string_view table_name) {
  return std::string("table/").append(table_name);
}

std::string dropped_record_key(std::uint32_t table_number, std::uint16_t index_number) {
  return "dropped/" + tree_prefix(table_number, index_number);
}

std::string counter_key(std::string_view name) { return std::string("counter/").append(name); }

std::string statistics_key(std::uint32_t table_number, std::uint16_t index_number) {
  return "statistics/" + tree_prefix(table_number, index_number);
}

}  // namespace magneto::storage
