#pragma once

#include <cstddef>
#include <string>

#include "api/json/attribute_value_json.h"
#include "api/json/json_buffer.h"
#include "storage/model/attribute_value.h"

namespace magneto::api::json {

// Appends items to a JSON array whose bracket is open, with commas between them. Call finish()
// before anything else is appended to the string.
class ItemList {
 public:
  explicit ItemList(std::string& out, SetOrder order = SetOrder::kByValue)
      : block_(out), order_(order) {}

  // Returns the number of bytes written.
  std::size_t add(storage::ItemView item);
  void finish() { block_.flush(); }

 private:
  JsonBuffer block_;
  const SetOrder order_;
  bool is_empty_ = true;
};

}  // namespace magneto::api::json
