#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/bulk/import/item_block.h"
#include "server/bulk/import/item_collector.h"
#include "server/bulk/import/json_look.h"
#include "server/formats/messages.h"
#include "server/formats/plain_json.h"

namespace magneto::server::bulk {
namespace {

using api::json::Value;

constexpr std::array<std::string_view, 10> kTypes = {"S",  "N",  "B",  "BOOL", "NULL",
                                                     "SS", "NS", "BS", "L",    "M"};

// Whether the value has a type, as in {"S": "x"}.
bool has_type(Value value) {
  if (value.object().size() != 1) return false;
  return std::ranges::find(kTypes, (*value.object().begin()).name) != kTypes.end();
}

// For a record that was read as typed JSON: the message if it is plain JSON.
std::string_view plain_look(Value item) {
  for (const auto member : item.object()) {
    if (!member.value.is_object()) return formats::messages::kLooksPlain;
  }
  return {};
}

// For a record that was read as plain JSON and now has types: the message if it had types before.
std::string_view typed_look(Value item) {
  for (const auto member : item.object()) {
    if (!has_type(member.value.object().find("M"))) return {};
  }
  return item.object().empty() ? std::string_view() : formats::messages::kLooksTyped;
}

bool looks_like_csv(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] != '{' && line[first] != '[' &&
         line.find(',') != std::string_view::npos;
}

// The first name that occurs twice in an object, anywhere in the value. `names` is scratch space.
std::optional<std::string> repeated_member(Value value, std::vector<std::string_view>& names) {
  if (value.is_object()) {
    names.clear();
    for (const auto member : value.object()) names.push_back(member.name);
    if (names.size() > 1) {
      std::ranges::sort(names);
      const auto twice = std::ranges::adjacent_find(names);
      if (twice != names.end()) return std::string(*twice);
    }
    for (const auto member : value.object()) {
      if (auto name = repeated_member(member.value, names)) return name;
    }
  }
  for (const Value element : value.array()) {
    if (auto name = repeated_member(element, names)) return name;
  }
  return std::nullopt;
}

class JsonLinesReader : public ItemReader {
 public:
  JsonLinesReader(bool plain, formats::KeyNames keys, bool names_formats)
      : plain_(plain), names_formats_(names_formats), keys_(std::move(keys)) {}

  void read(const formats::RecordBlock& records, std::size_t senders, ItemBlock& block) override {
    ItemCollector items(keys_, senders, block);
    block.text.reserve(records.text.size() * 2);
    std::string_view rest = records.text;
    for (std::size_t number = 0; !rest.empty(); ++number) {
      const std::size_t line =
          records.lines.empty() ? records.first_line + number : records.lines[number];
      const std::string_view text = formats::take_line(rest);
      if (text.find_first_not_of(" \t") == std::string_view::npos) continue;
      if (auto problem = read_record(text, line, items)) {
        block.bad.push_back({line, *std::move(problem)});
      }
    }
    items.finish();
  }

 private:
  // Returns the reason if the record is not an item.
  std::optional<std::string> read_record(std::string_view text, std::size_t line,
                                         ItemCollector& items) {
    Value item;
    if (const auto problem = read_line(text, item)) {
      if (!names_formats_) return std::string(*problem);
      if (const std::string_view look = binary_look(text); !look.empty()) return std::string(look);
      return std::string(looks_like_csv(text) ? formats::messages::kLooksLikeCsv : *problem);
    }
    if (const auto name = repeated_member(item, names_)) {
      return formats::messages::repeated_attribute(*name);
    }
    // An item of another format has no key in this format.
    if (items.add(item_, item, line) || !names_formats_) return std::nullopt;
    const std::string_view format = plain_ ? typed_look(item) : plain_look(item);
    if (format.empty()) return std::nullopt;
    items.take_back();
    return std::string(format);
  }

  std::optional<std::string_view> read_line(std::string_view text, Value& item) {
    if (!plain_) return formats::read_typed_item(text, item_, document_, item);
    if (const auto problem = formats::read_plain_item(text, item_)) return problem;
    const std::optional<Value> parsed = document_.parse(item_);
    if (!parsed) return formats::messages::kNoJsonObject;
    item = *parsed;
    return std::nullopt;
  }

  const bool plain_;
  const bool names_formats_;
  const formats::KeyNames keys_;
  std::vector<std::string_view> names_;
  std::string item_;
  api::json::Document document_;
};

}  // namespace

std::unique_ptr<ItemReader> make_json_reader(formats::Format format, formats::KeyNames keys,
                                             bool names_formats) {
  return std::make_unique<JsonLinesReader>(format == formats::Format::kPlainJson, std::move(keys),
                                           names_formats);
}

}  // namespace magneto::server::bulk
