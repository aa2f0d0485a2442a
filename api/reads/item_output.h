#pragma once

#include <cstddef>

#include "api/json/attribute_value_json.h"
#include "api/json/item_list.h"
#include "api/json/json_writer.h"
#include "storage/model/effort.h"

namespace magneto::api {

inline constexpr std::size_t kItemBytesOfAStep = 8;  // of an item's text

// Appends an item to an answer that may hold many items, and counts the work.
inline void append_item(json::Writer& writer, storage::ItemView item, storage::Effort& effort,
                        json::SetOrder order = json::SetOrder::kByValue) {
  std::string& out = writer.raw();
  const std::size_t before = out.size();
  json::append_item(out, item, order);
  effort.spend(1 + (out.size() - before) / kItemBytesOfAStep);
}

// The items of an answer as an array, and a count of the work. Call finish() before the writer is
// used again.
class ItemArray {
 public:
  ItemArray(json::Writer& writer, storage::Effort& effort,
            json::SetOrder order = json::SetOrder::kByValue)
      : writer_(writer), effort_(effort), list_(opened(writer), order) {}

  void add(storage::ItemView item) { effort_.spend(1 + list_.add(item) / kItemBytesOfAStep); }
  void finish() {
    list_.finish();
    writer_.end_array();
  }

 private:
  static std::string& opened(json::Writer& writer) {
    writer.begin_array();
    return writer.raw();
  }

  json::Writer& writer_;
  storage::Effort& effort_;
  json::ItemList list_;
};

}  // namespace magneto::api
