#include "tests/support/literal_values.h"

#include <stdexcept>

#include "storage/model/value_writer.h"

namespace magneto::testing {

using storage::AttributeType;
using storage::AttributeValue;
using storage::AttributeView;
using storage::MapView;
using storage::Number;
using storage::ValueWriter;

namespace {

Number parse_number(std::string_view decimal) {
  storage::NumberError error{};
  const auto number = Number::parse(decimal, error);
  if (!number) throw std::invalid_argument("not a number: " + std::string(decimal));
  return *number;
}

template <typename Write>
AttributeValue written(Write write) {
  std::string bytes;
  ValueWriter writer(bytes);
  write(writer);
  return AttributeValue(std::move(bytes));
}

void write_members(ValueWriter& writer, std::initializer_list<Member> members) {
  for (const auto& [name, value] : members) {
    writer.name(name);
    writer.value(value);
  }
}

template <typename Items, typename Show>
std::string joined(const char* open, const Items& items, const char* close, Show show_one) {
  std::string text = open;
  const char* separator = "";
  for (const auto& one : items) {
    text += separator;
    text += show_one(one);
    separator = ", ";
  }
  return text + close;
}

std::string show_number(std::string_view bytes) {
  std::string text;
  storage::append_decimal(bytes, text);
  return text;
}

std::string quoted(const char* prefix, std::string_view text) {
  return prefix + ('"' + std::string(text) + '"');
}

}  // namespace

AttributeValue s(std::string_view text) { return AttributeValue::string(text); }
AttributeValue n(std::string_view decimal) { return AttributeValue::number(parse_number(decimal)); }
AttributeValue b(std::string_view bytes) { return AttributeValue::binary(bytes); }
AttributeValue boolean(bool value) { return AttributeValue::boolean(value); }
AttributeValue null() {
  return written([](ValueWriter& writer) { writer.null(); });
}

AttributeValue ss(std::vector<std::string_view> members) {
  return written([&](ValueWriter& writer) { writer.set(AttributeType::kStringSet, members); });
}

AttributeValue bs(std::vector<std::string_view> members) {
  return written([&](ValueWriter& writer) { writer.set(AttributeType::kBinarySet, members); });
}

AttributeValue ns(std::initializer_list<std::string_view> decimals) {
  std::vector<Number> numbers;
  for (const std::string_view decimal : decimals) numbers.push_back(parse_number(decimal));
  std::vector<std::string_view> members;
  for (const Number& number : numbers) members.push_back(number.bytes());
  return written([&](ValueWriter& writer) { writer.set(AttributeType::kNumberSet, members); });
}

AttributeValue list(std::initializer_list<AttributeValue> elements) {
  return written([&](ValueWriter& writer) {
    writer.begin_list();
    for (const AttributeValue& element : elements) writer.value(element);
    writer.end_list();
  });
}

AttributeValue map(std::initializer_list<Member> members) {
  return written([&](ValueWriter& writer) {
    writer.begin_map();
    write_members(writer, members);
    writer.end_map();
  });
}

storage::Item item(std::initializer_list<Member> attributes) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  write_members(writer, attributes);
  writer.end_item();
  return storage::Item(std::move(bytes));
}

std::string show(AttributeView value) {
  if (!value) return "absent";
  switch (value.type()) {
    case AttributeType::kString:
      return quoted("", value.scalar_bytes());
    case AttributeType::kNumber:
      return show_number(value.scalar_bytes());
    case AttributeType::kBinary:
      return quoted("b", value.scalar_bytes());
    case AttributeType::kBoolean:
      return value.boolean() ? "true" : "false";
    case AttributeType::kNull:
      return "null";
    case AttributeType::kStringSet:
      return joined("SS{", value.set(), "}", [](auto member) { return quoted("", member); });
    case AttributeType::kNumberSet:
      return joined("NS{", value.set(), "}", show_number);
    case AttributeType::kBinarySet:
      return joined("BS{", value.set(), "}", [](auto member) { return quoted("b", member); });
    case AttributeType::kList:
      return joined("[", value.list(), "]", [](AttributeView element) { return show(element); });
    case AttributeType::kMap:
      return show(value.map());
  }
  return "damaged";
}

std::string show(MapView members) {
  return joined("{", members, "}", [](const storage::NamedAttribute& member) {
    return std::string(member.name) + ": " + show(member.value);
  });
}

}  // namespace magneto::testing
