#include "storage/encoding/item_encoding.h"

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <optional>

#include "storage/model/item_size.h"
#include "storage/model/narrow.h"

namespace magneto::storage {

namespace {

constexpr std::size_t kSizeField = 4;

// Reads parts with every bound checked. After the first failure ok() stays false and there is
// nothing left to read.
class CheckedReader {
 public:
  explicit CheckedReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  std::size_t remaining() const { return rest_.size(); }

  std::uint8_t byte() {
    const std::string_view one = take(1);
    return one.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(one.front());
  }

  std::uint32_t count() {
    const std::string_view four = take(4);
    return four.empty() ? 0 : read_count(four);
  }

  // A length and that many bytes. The length must be in its shortest form.
  std::string_view run() {
    std::size_t length = 0;
    for (unsigned shift = 0; shift < 32; shift += 7) {
      const std::uint8_t next = byte();
      length |= static_cast<std::size_t>(next & 0x7F) << shift;
      if (next >= 0x80) continue;
      if (next == 0 && shift > 0) break;
      return take(length);
    }
    fail();
    return {};
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view result = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return result;
  }

  void fail() {
    ok_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  bool ok_ = true;
};

// A list or map whose members are being read.
struct OpenContainer {
  std::size_t end;        // bytes that remain after its last member
  std::uint32_t members;  // not yet read
  bool is_map;
  std::optional<std::string_view> last_name;
};

class ItemChecker {
 public:
  explicit ItemChecker(std::string_view item) : reader_(item) {}

  bool check() {
    open_.push_back({0, reader_.count(), true, std::nullopt});
    while (reader_.ok() && !open_.empty()) {
      OpenContainer& container = open_.back();
      if (container.members == 0) {
        if (reader_.remaining() != container.end) return false;
        open_.pop_back();
        continue;
      }
      --container.members;
      if (container.is_map && !check_name(container)) return false;
      if (!check_value(container.end)) return false;
    }
    return reader_.ok();
  }

 private:
  bool check_name(OpenContainer& container) {
    const std::string_view name = reader_.run();
    if (container.last_name && *container.last_name >= name) return false;
    container.last_name = name;
    return true;
  }

  // `limit`: the bytes that must at least remain after the value. Opens a list or map.
  bool check_value(std::size_t limit) {
    const auto type = static_cast<AttributeType>(reader_.byte());
    switch (type) {
      case AttributeType::kString:
      case AttributeType::kBinary:
        reader_.run();
        return reader_.ok();
      case AttributeType::kNumber:
        return are_number_bytes(reader_.run());
      case AttributeType::kBoolean:
        return reader_.byte() <= 1 && reader_.ok();
      case AttributeType::kNull:
        return true;
      case AttributeType::kStringSet:
      case AttributeType::kNumberSet:
      case AttributeType::kBinarySet:
      case AttributeType::kList:
      case AttributeType::kMap:
        break;
      default:
        return false;
    }
    const std::size_t size = reader_.count();
    if (size > reader_.remaining() || reader_.remaining() - size < limit) return false;
    const std::size_t end = reader_.remaining() - size;
    const std::uint32_t members = reader_.count();
    if (is_set(type)) return check_set(type, members, end);
    open_.push_back({end, members, type == AttributeType::kMap, std::nullopt});
    return true;
  }

  bool check_set(AttributeType type, std::uint32_t members, std::size_t end) {
    std::optional<std::string_view> last;
    for (; members > 0 && reader_.ok(); --members) {
      const std::string_view member = reader_.run();
      if (last && *last >= member) return false;
      if (type == AttributeType::kNumberSet && !are_number_bytes(member)) return false;
      last = member;
    }
    return reader_.ok() && reader_.remaining() == end;
  }

  CheckedReader reader_;
  absl::InlinedVector<OpenContainer, 8> open_;
};

}  // namespace

std::string encode_item(ItemView item) { return encode_item(item, item_size(item)); }

std::string encode_item(ItemView item, std::size_t wide_size) {
  const auto size = narrow<std::uint32_t>(wide_size);
  const std::string_view bytes = item.bytes();
  std::string stored;
  stored.reserve(kSizeField + bytes.size());
  for (unsigned shift = 0; shift < 32; shift += 8) {
    stored.push_back(static_cast<char>(size >> shift));
  }
  stored.append(bytes);
  return stored;
}

ItemView decode_item(std::string_view stored) { return ItemView(stored.substr(kSizeField)); }

std::size_t decode_item_size(std::string_view stored) { return read_count(stored); }

bool is_valid_item(std::string_view item) { return ItemChecker(item).check(); }

bool is_valid_stored_item(std::string_view stored) {
  return stored.size() >= kSizeField && is_valid_item(stored.substr(kSizeField)) &&
         decode_item_size(stored) == item_size(decode_item(stored));
}

}  // namespace magneto::storage
