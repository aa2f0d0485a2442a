#include "tests/support/random_values.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace magneto::testing {

using storage::AttributeType;
using storage::Number;
using storage::ValueWriter;

std::string RandomValues::bytes(std::size_t max_size) {
  const std::size_t size = below((one_in(2) ? std::min<std::size_t>(max_size, 3) : max_size) + 1);
  std::string result;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t kind = below(4);
    result.push_back(static_cast<char>(kind == 0 ? 0 : kind == 1 ? 0xFF : below(256)));
  }
  return result;
}

std::string RandomValues::text(std::size_t max_size) {
  std::string result;
  for (std::size_t left = below(max_size + 1); left > 0; --left) {
    result.push_back(static_cast<char>('a' + below(4)));
  }
  return result;
}

PlainNumber RandomValues::plain_number() {
  PlainNumber number;
  if (one_in(20)) return number;
  number.negative = one_in(2);
  const std::size_t count = one_in(4) ? 38 : 1 + below(one_in(2) ? 4 : 38);
  for (std::size_t i = 0; i < count; ++i) {
    number.digits.push_back(static_cast<char>('0' + (one_in(3) ? 9 * below(2) : below(10))));
  }
  if (number.digits.front() == '0') number.digits.front() = '1';
  if (number.digits.back() == '0') number.digits.back() = '9';
  const std::uint64_t kind = below(5);
  number.top = kind == 0   ? 125 - static_cast<int>(below(3))
               : kind == 1 ? -130 + static_cast<int>(below(3))
               : kind == 2 ? static_cast<int>(below(256)) - 130
                           : static_cast<int>(below(12)) - 4;
  return number;
}

std::string RandomValues::spelling(const PlainNumber& number) {
  if (number.digits.empty()) return one_in(2) ? "0" : one_in(2) ? "-0.00" : "+.0e-3";
  // The digits with extra zeros at both ends, a point at a random position, and the exponent that
  // corrects it.
  std::string digits = std::string(below(3), '0') + number.digits + std::string(below(4), '0');
  const auto first = static_cast<int>(digits.find_first_not_of('0'));
  const auto point = static_cast<int>(below(digits.size() + 1));
  const int exponent = number.top - (point - 1 - first);
  std::string text = number.negative ? "-" : one_in(4) ? "+" : "";
  text += digits.substr(0, static_cast<std::size_t>(point));
  if (static_cast<std::size_t>(point) < digits.size() || one_in(2)) text += '.';
  text += digits.substr(static_cast<std::size_t>(point));
  if (exponent != 0 || one_in(4)) {
    text += one_in(2) ? "e" : "E";
    if (exponent >= 0 && one_in(2)) text += '+';
    text += std::to_string(exponent);
  }
  return text;
}

Number RandomValues::number() {
  storage::NumberError error{};
  const std::string text = spelling(plain_number());
  const std::optional<Number> number = Number::parse(text, error);
  if (!number) throw std::logic_error("a number refused: " + text);
  return *number;
}

storage::AttributeValue RandomValues::key_value(AttributeType type) {
  switch (type) {
    case AttributeType::kNumber:
      return storage::AttributeValue::number(number());
    case AttributeType::kString:
      return storage::AttributeValue::string(one_in(2) ? text(3) : bytes(6));
    default:
      return storage::AttributeValue::binary(bytes(6));
  }
}

storage::AttributeValue RandomValues::value(std::size_t levels) {
  std::string bytes;
  ValueWriter writer(bytes);
  write_value(writer, levels);
  return storage::AttributeValue(std::move(bytes));
}

void RandomValues::write_set(ValueWriter& writer) {
  const std::uint64_t kind = below(3);
  std::vector<std::string> members;
  for (std::size_t left = 1 + below(6); left > 0; --left) {
    members.push_back(kind == 0 ? text(3) : kind == 1 ? std::string(number().bytes()) : bytes(200));
  }
  writer.set(kind == 0   ? AttributeType::kStringSet
             : kind == 1 ? AttributeType::kNumberSet
                         : AttributeType::kBinarySet,
             {members.begin(), members.end()});
}

void RandomValues::write_members(ValueWriter& writer, std::size_t count, std::size_t levels) {
  for (; count > 0; --count) {
    writer.name(text(one_in(10) ? 200 : 3));
    write_value(writer, levels);
  }
}

void RandomValues::write_value(ValueWriter& writer, std::size_t levels) {
  switch (below(levels > 1 ? 9 : 6)) {
    case 0:
      return writer.string(text(one_in(10) ? 20'000 : 10));
    case 1:
      return writer.number(number());
    case 2:
      return writer.binary(bytes(300));
    case 3:
      return writer.boolean(one_in(2));
    case 4:
      return writer.null();
    case 5:
      return write_set(writer);
    case 6:
      writer.begin_list();
      for (std::size_t left = below(5); left > 0; --left) write_value(writer, levels - 1);
      return writer.end_list();
    default:
      writer.begin_map();
      write_members(writer, below(5), levels - 1);
      return writer.end_map();
  }
}

storage::Item RandomValues::item(std::size_t max_attributes, std::size_t levels) {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  write_members(writer, below(max_attributes + 1), levels);
  writer.end_item();
  return storage::Item(std::move(bytes));
}

}  // namespace magneto::testing
