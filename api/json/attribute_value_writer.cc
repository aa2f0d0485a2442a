#include <cstring>
#include <vector>

#include "api/java_hash_order.h"
#include "api/json/attribute_value_json.h"
#include "api/json/base64.h"
#include "api/json/item_list.h"
#include "api/json/json_buffer.h"
#include "storage/model/number.h"

namespace magneto::api::json {
namespace {

using storage::AttributeType;
using storage::AttributeView;

void put_number(JsonBuffer& block, std::string_view number_bytes) {
  block.make_room(storage::kMaxDecimalBytes + 2);
  char* at = block.place();
  *at++ = '"';
  at = storage::write_decimal(number_bytes, at);
  *at++ = '"';
  block.skip_to(at);
}

void put_binary(JsonBuffer& block, std::string_view bytes) {
  block.put('"');
  encode_base64(bytes, block.out());
  block.put('"');
}

void put_string(JsonBuffer& block, std::string_view text) { block.put_string(text); }

template <typename Members, typename PutMember>
void put_set(JsonBuffer& block, const Members& set, PutMember put_member) {
  bool first = true;
  for (const std::string_view member : set) {
    if (!first) block.put(',');
    first = false;
    put_member(block, member);
  }
  block.put("]}");
}

template <SetOrder order>
void put_number_set(JsonBuffer& block, storage::SetView set) {
  block.put("{\"NS\":[");
  if constexpr (order == SetOrder::kByValue) return put_set(block, set, put_number);
  std::vector<std::string_view> numbers;
  numbers.reserve(set.size());
  for (const std::string_view number : set) numbers.push_back(number);
  put_set(block, numbers_in_hash_order(numbers), put_number);
}

template <SetOrder order>
void put_value(JsonBuffer& block, AttributeView value);

template <SetOrder order>
void put_list(JsonBuffer& block, storage::ListView list) {
  block.put("{\"L\":[");
  bool first = true;
  for (const AttributeView element : list) {
    if (!first) block.put(',');
    first = false;
    put_value<order>(block, element);
  }
  block.put("]}");
}

template <std::size_t Size>
inline char* write(const char (&literal)[Size], char* at) {
  std::memcpy(at, literal, Size - 1);
  return at + Size - 1;
}

// Writes `name":{"S":"text"},"` for each of a map's members until the first that is not plain: only
// texts without a character to escape, numbers and booleans are. The quote before the first name is
// there. Returns the members from that one on. The format of stored values is read here in one pass:
// the views of storage/model/attribute_value.h would find the end of each value first.
std::string_view put_plain_members(JsonBuffer& block, std::string_view members) {
  constexpr std::size_t kMarks = 16 + 2 * kBytesOfAStep;
  const char* from = members.data();
  const char* const end = from + members.size();
  char* at = block.place();
  const char* const end_of_room = at + block.room();
  while (from != end) {
    const char* next = from;
    const auto left = [&next, end] { return static_cast<std::size_t>(end - next); };
    const std::string_view name = storage::read_run(next);
    const std::size_t after_name = left();
    const auto type = static_cast<AttributeType>(*next++);
    const std::size_t room = static_cast<std::size_t>(end_of_room - at);
    const std::size_t needed = name.size() + kMarks;
    StepBytes found{};
    char* to = at;
    if (type == AttributeType::kString) {
      const std::string_view text = storage::read_run(next);
      if (room < needed + text.size()) break;
      to = copy_plain(name, after_name, to, found);
      to = write("\":{\"S\":\"", to);
      to = copy_plain(text, left(), to, found);
      if (has_any(found)) break;
      at = write("\"},\"", to);
    } else if (type == AttributeType::kNumber) {
      const std::string_view number = storage::read_run(next);
      if (room < needed + storage::kMaxDecimalBytes) break;
      to = copy_plain(name, after_name, to, found);
      to = write("\":{\"N\":\"", to);
      to = storage::write_decimal(number, to);
      if (has_any(found)) break;
      at = write("\"},\"", to);
    } else if (type == AttributeType::kBoolean) {
      if (room < needed) break;
      to = copy_plain(name, after_name, to, found);
      if (has_any(found)) break;
      at = *next++ != 0 ? write("\":{\"BOOL\":true},\"", to) : write("\":{\"BOOL\":false},\"", to);
    } else {
      break;
    }
    from = next;
  }
  block.skip_to(at);
  return {from, static_cast<std::size_t>(end - from)};
}

template <SetOrder order>
void put_item(JsonBuffer& block, storage::ItemView item) {
  if (item.empty()) return block.put("{}");
  block.put("{\"");
  std::string_view rest = put_plain_members(block, item.bytes().substr(sizeof(std::uint32_t)));
  while (!rest.empty()) {
    block.skip_to(block.place() - 1);  // the quote
    const std::string_view name = storage::take_bytes(rest);
    block.put_string(name, rest.size());
    block.put(':');
    put_value<order>(block, storage::take_value(rest));
    block.put(",\"");
    rest = put_plain_members(block, rest);
  }
  block.skip_to(block.place() - 2);  // the comma and the quote
  block.put('}');
}

template <SetOrder order>
void put_value(JsonBuffer& block, AttributeView value) {
  switch (value.type()) {
    case AttributeType::kString:
      block.put("{\"S\":");
      block.put_string(value.scalar_bytes());
      block.put('}');
      break;
    case AttributeType::kNumber:
      block.put("{\"N\":");
      put_number(block, value.scalar_bytes());
      block.put('}');
      break;
    case AttributeType::kBinary:
      block.put("{\"B\":");
      put_binary(block, value.scalar_bytes());
      block.put('}');
      break;
    case AttributeType::kBoolean:
      if (value.boolean()) {
        block.put("{\"BOOL\":true}");
      } else {
        block.put("{\"BOOL\":false}");
      }
      break;
    case AttributeType::kNull:
      block.put("{\"NULL\":true}");
      break;
    case AttributeType::kStringSet:
      block.put("{\"SS\":[");
      put_set(block, value.set(), put_string);
      break;
    case AttributeType::kNumberSet:
      put_number_set<order>(block, value.set());
      break;
    case AttributeType::kBinarySet:
      block.put("{\"BS\":[");
      put_set(block, value.set(), put_binary);
      break;
    case AttributeType::kList:
      put_list<order>(block, value.list());
      break;
    case AttributeType::kMap:
      block.put("{\"M\":");
      put_item<order>(block, value.map());
      block.put('}');
      break;
  }
}

}  // namespace

void append_value(std::string& out, AttributeView value, SetOrder order) {
  JsonBuffer block(out);
  if (order == SetOrder::kByValue) {
    put_value<SetOrder::kByValue>(block, value);
  } else {
    put_value<SetOrder::kByHash>(block, value);
  }
  block.flush();
}

void append_item(std::string& out, storage::ItemView item, SetOrder order) {
  ItemList list(out, order);
  list.add(item);
  list.finish();
}

std::size_t ItemList::add(storage::ItemView item) {
  const std::size_t before = block_.size();
  if (!is_empty_) block_.put(',');
  is_empty_ = false;
  if (order_ == SetOrder::kByValue) {
    put_item<SetOrder::kByValue>(block_, item);
  } else {
    put_item<SetOrder::kByHash>(block_, item);
  }
  return block_.size() - before;
}

}  // namespace magneto::api::json
