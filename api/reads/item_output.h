#pragma once

#include <cstddef>
#include <cstdint>

#include "api/json/attribute_value_json.h"
#include "api/json/item_list.h"
#include "api/json/json_writer.h"
#include "storage/model/effort.h"

namespace magneto::api {

// The work of writing an item's text.
inline std::uint64_t steps_of_text(std::size_t bytes) {
  constexpr std::size_t kWrittenInAStep = 8;  // bytes
  return 1 + bytes / kWrittenInAStep;
}

// Appends an item to an answer that may hold many items, and counts the work.
inline void append_item(json::Writer& writer, storage::ItemView item, storage::Effort& effort,
                        json::SetOrder order = json::SetOrder::kByValue) {
  std::string& out = writer.raw();
  const std::size_t before = out.size();
  json::append_item(out, item, order);
  effort.spend(steps_of_text(out.size() - before));
}

// The items of an answer as an array, and a count of the work. Call finish() before the writer is
// used again.
class ItemArray {
 public:
  ItemArray(json::Writer& writer, storage::Effort& effort,
            json::SetOrder order = json::SetOrder::kByValue)
      : writer_(writer), effort_(effort), list_(opened(writer), order) {}

  void add(storage::ItemView item) { effort_.spend(steps_of_text(list_.add(item))); }
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
