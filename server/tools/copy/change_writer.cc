#include "server/tools/copy/change_writer.h"

#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "server/tools/copy/messages.h"

namespace magneto::server::tools {

using api::json::Value;

std::string write_changes(api::json::Array records, const std::string& table,
                          const formats::KeyNames& keys, RequestBatch& batch) {
  std::map<std::string, Value> last_of_keys;
  std::string sequence;
  for (const Value record : records) {
    const Value change = record.object().find("dynamodb");
    std::string key;
    if (!formats::append_key(change.object().find("Keys"), keys, key)) {
      throw std::runtime_error(messages::kNoStreamRecord(table));
    }
    last_of_keys[std::move(key)] = record;
    sequence = change.object().find("SequenceNumber").string();
  }
  for (const auto& [key, record] : last_of_keys) {
    const api::json::Object change = record.object().find("dynamodb").object();
    if (record.object().find("eventName").string() == "REMOVE") {
      batch.remove(change.find("Keys"));
    } else if (const Value image = change.find("NewImage"); image.is_object()) {
      batch.put(image);
    } else {
      throw std::runtime_error(messages::kNoStreamRecord(table));
    }
  }
  batch.send();
  return sequence;
}

}  // namespace magneto::server::tools
