#include <optional>
#include <utility>

#include "server/transfer/formats/messages.h"
#include "server/transfer/formats/plain_json.h"
#include "server/transfer/import/item_block.h"
#include "server/transfer/import/item_collector.h"

namespace magneto::server {
namespace {

using api::json::Value;

class JsonLinesReader : public ItemReader {
 public:
  JsonLinesReader(bool plain, KeyNames keys) : plain_(plain), keys_(std::move(keys)) {}

  void read(const RecordBlock& records, std::size_t senders, ItemBlock& block) override {
    ItemCollector items(keys_, senders, block);
    block.text.reserve(records.text.size() * 2);
    std::string_view rest = records.text;
    for (std::size_t line = records.first_line; !rest.empty(); ++line) {
      const std::string_view text = take_line(rest);
      if (text.find_first_not_of(" \t") == std::string_view::npos) continue;
      Value item;
      if (const auto problem = read_line(text, item)) {
        block.bad.push_back({line, std::string(*problem)});
      } else {
        items.add(item_, item, line);
      }
    }
    items.finish();
  }

 private:
  std::optional<std::string_view> read_line(std::string_view text, Value& item) {
    if (!plain_) return read_typed_item(text, item_, document_, item);
    if (const auto problem = read_plain_item(text, item_)) return problem;
    const std::optional<Value> parsed = document_.parse(item_);
    if (!parsed) return messages::kNoJsonObject;
    item = *parsed;
    return std::nullopt;
  }

  const bool plain_;
  const KeyNames keys_;
  std::string item_;
  api::json::Document document_;
};

}  // namespace

std::unique_ptr<ItemReader> make_json_reader(Format format, KeyNames keys) {
  return std::make_unique<JsonLinesReader>(format == Format::kPlainJson, std::move(keys));
}

}  // namespace magneto::server
