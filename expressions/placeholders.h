#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// ExpressionAttributeNames and ExpressionAttributeValues of one request, and which were used by the
// expressions bound so far. Views into the request; few entries, searched linearly.
class Placeholders {
 public:
  // With the leading '#' or ':'.
  void add_name(std::string_view placeholder, std::string_view attribute);
  void add_value(std::string_view placeholder, storage::AttributeView value);

  // nullptr / absent when undefined; marks as used.
  const std::string_view* use_name(std::string_view placeholder);
  storage::AttributeView use_value(std::string_view placeholder);

  // Placeholders no expression used, in the order added.
  std::vector<std::string_view> unused_names() const;
  std::vector<std::string_view> unused_values() const;

 private:
  struct Name {
    std::string_view placeholder;
    std::string_view attribute;
    bool used;
  };
  struct Value {
    std::string_view placeholder;
    storage::AttributeView value;
    bool used;
  };
  std::vector<Name> names_;
  std::vector<Value> values_;
};

}  // namespace magneto::expressions
