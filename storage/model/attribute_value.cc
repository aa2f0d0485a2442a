#include "storage/model/attribute_value.h"

#include <cstdlib>

#include "storage/model/value_writer.h"

namespace magneto::storage {

std::string_view type_name(AttributeType type) {
  switch (type) {
    case AttributeType::kString:
      return "S";
    case AttributeType::kNumber:
      return "N";
    case AttributeType::kBinary:
      return "B";
    case AttributeType::kBoolean:
      return "BOOL";
    case AttributeType::kNull:
      return "NULL";
    case AttributeType::kStringSet:
      return "SS";
    case AttributeType::kNumberSet:
      return "NS";
    case AttributeType::kBinarySet:
      return "BS";
    case AttributeType::kList:
      return "L";
    case AttributeType::kMap:
      return "M";
  }
  std::abort();
}

bool SetView::contains(std::string_view member) const {
  std::uint64_t passed = 0;
  return contains(member, passed);
}

bool SetView::contains(std::string_view member, std::uint64_t& passed) const {
  for (const std::string_view candidate : *this) {
    ++passed;
    const int order = candidate.compare(member);
    if (order >= 0) return order == 0;
  }
  return false;
}

AttributeView ListView::at(std::uint32_t index) const {
  if (index >= count_) return {};
  std::string_view rest = body_;
  for (; index > 0; --index) take_value(rest);
  return take_value(rest);
}

AttributeView MapView::find(std::string_view name) const {
  std::uint64_t passed = 0;
  return find(name, passed);
}

AttributeView MapView::find(std::string_view name, std::uint64_t& passed) const {
  const char* at = members().data();
  const char* const end = bytes_.data() + bytes_.size();
  while (at != end) {
    ++passed;
    const int order = compare_names(read_run(at), name);
    if (order > 0) return {};
    const AttributeView value = read_value(at);
    if (order == 0) return value;
  }
  return {};
}

AttributeValue AttributeValue::string(std::string_view text) {
  std::string bytes;
  ValueWriter(bytes).string(text);
  return AttributeValue(std::move(bytes));
}

AttributeValue AttributeValue::number(const Number& number) {
  std::string bytes;
  ValueWriter(bytes).number(number);
  return AttributeValue(std::move(bytes));
}

AttributeValue AttributeValue::binary(std::string_view binary) {
  std::string bytes;
  ValueWriter(bytes).binary(binary);
  return AttributeValue(std::move(bytes));
}

AttributeValue AttributeValue::boolean(bool value) {
  std::string bytes;
  ValueWriter(bytes).boolean(value);
  return AttributeValue(std::move(bytes));
}

}  // namespace magneto::storage
