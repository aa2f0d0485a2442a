#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "server/bulk/import/item_block.h"
#include "server/bulk/import/item_collector.h"
#include "server/formats/csv.h"
#include "server/formats/messages.h"

namespace magneto::server::bulk {
namespace {

using api::json::Value;

class CsvReader : public ItemReader {
 public:
  explicit CsvReader(formats::KeyNames keys) : keys_(std::move(keys)) {}

  void read(const formats::RecordBlock& records, std::size_t senders, ItemBlock& block) override {
    ItemCollector items(keys_, senders, block);
    block.text.reserve(records.text.size() * 2);
    std::string_view rest = records.text;
    std::size_t line = records.first_line;
    while (!rest.empty()) {
      const std::string_view before = rest;
      Value item;
      std::size_t count = 0;
      std::optional<std::string> problem;
      if (const auto no_record = formats::take_csv_record(rest, cells_, count, records.delimiter)) {
        problem = *no_record;
      } else if (count > 0) {
        problem = read_record(*records.columns, count, item);
      }
      if (problem) {
        block.bad.push_back({line, *std::move(problem)});
      } else if (count > 0) {
        items.add(item_, item, line);
      }
      const std::string_view record = before.substr(0, before.size() - rest.size());
      line += static_cast<std::size_t>(std::ranges::count(record, '\n'));
    }
    items.finish();
  }

 private:
  std::optional<std::string> read_record(const formats::CsvColumns& columns, std::size_t count,
                                         Value& item) {
    if (auto problem = formats::read_csv_item(columns, cells_, count, document_, item_))
      return problem;
    const std::optional<Value> parsed = document_.parse(item_);
    if (!parsed) return std::string(formats::messages::kNoUtf8);
    item = *parsed;
    return std::nullopt;
  }

  const formats::KeyNames keys_;
  std::vector<formats::CsvCell> cells_;
  std::string item_;
  api::json::Document document_;
};

}  // namespace

std::unique_ptr<ItemReader> make_csv_reader(formats::KeyNames keys) {
  return std::make_unique<CsvReader>(std::move(keys));
}

}  // namespace magneto::server::bulk
