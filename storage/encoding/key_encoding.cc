#include "storage/encoding/key_encoding.h"

#include <algorithm>
#include <span>

#include "storage/encoding/keyspace.h"
#include "storage/encoding/partition_hash.h"
#include "storage/model/key_value.h"

namespace magneto::storage {

namespace {

constexpr std::size_t kTypicalIndexPartsSize = 64;
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

// The tree's prefix, with room for the hash and `parts_size` bytes of values.
std::string start_key(std::uint32_t table_number, std::uint16_t index_number,
                      std::size_t parts_size) {
  std::string key;
  key.reserve(kTreePrefixSize + kHashSize + parts_size);
  append_uint32(key, table_number);
  append_uint16(key, index_number);
  return key;
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

std::string item_key(std::uint32_t table_number, std::uint64_t hash, AttributeView partition,
                     AttributeView sort) {
  std::string key = start_key(table_number, 0, partition.bytes().size() + sort.bytes().size() + 4);
  append_uint64(key, hash);
  append_key_part(key, partition);
  if (sort) append_key_part(key, sort);
  return key;
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

std::string item_key(std::uint32_t table_number, AttributeView partition, AttributeView sort) {
  return item_key(table_number, partition_hash(partition.scalar_bytes()), partition, sort);
}

std::string item_key_of_entry(const TableSchema& table, std::string_view entry_key,
                              ItemView entry) {
  return item_key(table.number, read_uint64(entry_key.substr(kTreePrefixSize)),
                  find_key_attribute(table.key.partition, entry),
                  find_key_attribute(table.key.sort, entry));
}

std::string item_key(const TableSchema& table, ItemView attributes) {
  return item_key(table.number, find_key_attribute(table.key.partition, attributes),
                  find_key_attribute(table.key.sort, attributes));
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
  std::string key = start_key(table_.number, index.number, size);
  append_uint64(key, partition_hash_of(index, values));
  for (const AttributeView value : values) append_key_part(key, value);
  append_uint64(key, *table_key_hash_);
  key += table_parts;
  return key;
}

KeyRange key_range(std::uint32_t table_number, std::uint16_t index_number,
                   const KeyCondition& condition) {
  std::string prefix = start_key(table_number, index_number, kTypicalIndexPartsSize);
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
