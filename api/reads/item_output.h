#pragma once

#include "api/json/attribute_value_json.h"
#include "api/json/json_writer.h"
#include "storage/model/effort.h"

namespace magneto::api {

// Appends an item to an answer that may hold many items, and counts the work.
inline void append_item(json::Writer& writer, storage::ItemView item, storage::Effort& effort,
                        json::SetOrder order = json::SetOrder::kByValue) {
  constexpr std::size_t kWrittenInAStep = 8;  // bytes
  std::string& out = writer.raw();
  const std::size_t before = out.size();
  json::append_item(out, item, order);
  effort.spend(1 + (out.size() - before) / kWrittenInAStep);
}

}  // namespace magneto::api
