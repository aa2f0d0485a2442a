#include "storage/encoding/key_encoding.h"

#include <algorithm>
#include <span>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/partition_hash.h"
#include "storage/model/key_value.h"

namespace magneto::storage {

namespace {

constexpr std::size_t kTypicalIndexPartsSize = 64;
constexpr std::size_t kTypicalKeySize = 64;
constexpr unsigned kSegmentBits = 12;
constexpr std::uint64_t kSegmentPrefixes = std::uint64_t{1} << kSegmentBits;

void append_escaped(std::string& out, std::string_view bytes) {
  for (std::size_t zero = bytes.find('\0'); zero != std::string_view::npos;
       zero = bytes.find('\0')) {
    out.append(bytes.substr(0, zero + 1)).push_back('\xFF');
    bytes.remove_prefix(zero + 1);
  }
  out.append(bytes);
}

std::uint64_t hash_of(std::span<const AttributeView> values) {
  absl::InlinedVector<std::string_view, 4> parts;
  for (const AttributeView value : values) parts.push_back(value.scalar_bytes());
  return partition_hash({parts.data(), parts.size()});
}

// Appends the tree's prefix, and makes room for the hash and `parts_size` bytes of values.
void start_key(std::string& out, std::uint32_t table_number, std::uint16_t index_number,
               std::size_t parts_size) {
  out.reserve(out.size() + kTreePrefixSize + kHashSize + parts_size);
  append_uint32(out, table_number);
  append_uint16(out, index_number);
}

AttributeView find_key_attribute(const std::vector<KeyAttribute>& part, ItemView item) {
  return part.empty() ? AttributeView() : item.find(part.front().name);
}

// Appends the values of `part` in `item`; false if one is missing or invalid in a key.
bool collect(const std::vector<KeyAttribute>& part, bool is_partition, ItemView item,
             IndexKeyValues& values) {
  for (const KeyAttribute& attribute : part) {
    const AttributeView value = item.find(attribute.name);
    if (!value ||
        key_value_problem(value, attribute.type, is_partition) != KeyValueProblem::kNone) {
      return false;
    }
    values.push_back(value);
  }
  return true;
}

void append_item_key(std::string& out, std::uint32_t table_number, std::uint64_t hash,
                     const ItemKeyValues& values) {
  start_key(out, table_number, 0, values.partition.bytes().size() + values.sort.bytes().size() + 4);
  append_uint64(out, hash);
  append_key_part(out, values.partition);
  if (values.sort) append_key_part(out, values.sort);
}

ItemKeyValues key_values(const TableSchema& table, ItemView item) {
  return {find_key_attribute(table.key.partition, item), find_key_attribute(table.key.sort, item)};
}

}  // namespace

void append_key_part(std::string& out, AttributeView value) {
  const std::string_view bytes = value.scalar_bytes();
  if (value.type() == AttributeType::kNumber) {
    out.append(bytes).push_back('\0');
    return;
  }
  append_escaped(out, bytes);
  out.append({'\0', '\1'});
}

std::string item_key(std::uint32_t table_number, const ItemKeyValues& values) {
  std::string key;
  append_item_key(key, table_number, partition_hash(values.partition.scalar_bytes()), values);
  return key;
}

PackedStrings item_keys(std::uint32_t table_number, std::span<const ItemKeyValues> values) {
  std::vector<std::string_view> partitions;
  partitions.reserve(values.size());
  for (const ItemKeyValues& each : values) partitions.push_back(each.partition.scalar_bytes());
  const std::vector<std::uint64_t> hashes = partition_hashes(partitions);
  PackedStrings keys;
  keys.reserve(values.size(), values.size() * kTypicalKeySize);
  for (std::size_t i = 0; i < values.size(); ++i) {
    keys.add([&](std::string& out) { append_item_key(out, table_number, hashes[i], values[i]); });
  }
  return keys;
}

void append_item_key_of_entry(std::string& out, const TableSchema& table,
                              std::string_view entry_key, ItemView entry) {
  append_item_key(out, table.number, read_uint64(entry_key.substr(kTreePrefixSize)),
                  key_values(table, entry));
}

std::string item_key(const TableSchema& table, ItemView attributes) {
  return item_key(table.number, key_values(table, attributes));
}

std::optional<std::string> index_key(const TableSchema& table, const IndexSchema& index,
                                     ItemView item) {
  IndexKeyValues values;
  if (!collect_index_key(index, item, values)) return std::nullopt;
  const std::string key = item_key(table, item);
  return IndexKeyEncoder(table, key, item).encode(index, values);
}

bool collect_index_key(const IndexSchema& index, ItemView item, IndexKeyValues& values) {
  return item.size() != 0 && collect(index.key.partition, true, item, values) &&
         collect(index.key.sort, false, item, values);
}

// Local indexes have the table's partition attribute; its hash is in the item's key.
std::uint64_t IndexKeyEncoder::partition_hash_of(const IndexSchema& index,
                                                 const IndexKeyValues& values) const {
  if (index.key.partition == table_.key.partition) return read_uint64(key_.substr(kTreePrefixSize));
  return hash_of(std::span(values).first(index.key.partition.size()));
}

std::string IndexKeyEncoder::encode(const IndexSchema& index, const IndexKeyValues& values) {
  const std::string_view table_parts = key_.substr(kTreePrefixSize + kHashSize);
  if (!table_key_hash_) {
    IndexKeyValues table_key;
    table_key.push_back(find_key_attribute(table_.key.partition, item_));
    if (!table_.key.sort.empty()) table_key.push_back(find_key_attribute(table_.key.sort, item_));
    table_key_hash_ = hash_of(table_key);
  }
  std::size_t size = kHashSize + table_parts.size();
  for (const AttributeView value : values) size += value.bytes().size() + 2;
  std::string key;
  start_key(key, table_.number, index.number, size);
  append_uint64(key, partition_hash_of(index, values));
  for (const AttributeView value : values) append_key_part(key, value);
  append_uint64(key, *table_key_hash_);
  key += table_parts;
  return key;
}

KeyRange key_range(std::uint32_t table_number, std::uint16_t index_number,
                   const KeyCondition& condition) {
  std::string prefix;
  start_key(prefix, table_number, index_number, kTypicalIndexPartsSize);
  append_uint64(prefix, hash_of(condition.partition));
  for (const AttributeView value : condition.partition) append_key_part(prefix, value);
  for (const AttributeView value : condition.sort_equal) append_key_part(prefix, value);

  const auto with = [&prefix](AttributeView value) {
    std::string key = prefix;
    append_key_part(key, value);
    return key;
  };
  const auto after = [&with](AttributeView value) { return prefix_successor(with(value)); };
  switch (condition.sort_operator) {
    case SortOperator::kNone:
      break;
    case SortOperator::kEqual:
      return {with(condition.low), after(condition.low)};
    case SortOperator::kLess:
      return {prefix, with(condition.low)};
    case SortOperator::kLessOrEqual:
      return {prefix, after(condition.low)};
    case SortOperator::kGreater:
      return {after(condition.low), prefix_successor(prefix)};
    case SortOperator::kGreaterOrEqual:
      return {with(condition.low), prefix_successor(prefix)};
    case SortOperator::kBetween: {
      KeyRange range{with(condition.low), after(condition.high)};
      if (range.upper < range.lower) range.upper = range.lower;
      return range;
    }
    case SortOperator::kBeginsWith:
      append_escaped(prefix, condition.low.scalar_bytes());
      break;
  }
  std::string upper = prefix_successor(prefix);
  return {std::move(prefix), std::move(upper)};
}

KeyRange segment_range(std::uint32_t table_number, std::uint16_t index_number,
                       std::uint32_t segment, std::uint32_t total_segments) {
  const std::string tree = tree_prefix(table_number, index_number);
  // The beginning of a segment: the smallest key whose hash starts with ceil(4096 * n / total).
  const auto boundary = [&tree, total_segments](std::uint64_t n) {
    const std::uint64_t first = (kSegmentPrefixes * n + total_segments - 1) / total_segments;
    if (first >= kSegmentPrefixes) return prefix_successor(tree);
    std::string key = tree;
    append_uint64(key, first << (64 - kSegmentBits));
    return key;
  };
  return {boundary(segment), boundary(std::uint64_t{segment} + 1)};
}

}  // namespace magneto::storage
