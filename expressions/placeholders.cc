#include "expressions/placeholders.h"

namespace magneto::expressions {

void Placeholders::add_name(std::string_view placeholder, std::string_view attribute) {
  names_.push_back({placeholder, attribute, false});
}

void Placeholders::add_value(std::string_view placeholder, storage::AttributeView value) {
  values_.push_back({placeholder, value, false});
}

const std::string_view* Placeholders::use_name(std::string_view placeholder) {
  for (Name& name : names_) {
    if (name.placeholder == placeholder) {
      name.used = true;
      return &name.attribute;
    }
  }
  return nullptr;
}

storage::AttributeView Placeholders::use_value(std::string_view placeholder) {
  for (Value& value : values_) {
    if (value.placeholder == placeholder) {
      value.used = true;
      return value.value;
    }
  }
  return {};
}

std::vector<std::string_view> Placeholders::unused_names() const {
  std::vector<std::string_view> unused;
  for (const Name& name : names_) {
    if (!name.used) unused.push_back(name.placeholder);
  }
  return unused;
}

std::vector<std::string_view> Placeholders::unused_values() const {
  std::vector<std::string_view> unused;
  for (const Value& value : values_) {
    if (!value.used) unused.push_back(value.placeholder);
  }
  return unused;
}

}  // namespace magneto::expressions
