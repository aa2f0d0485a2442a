// A file of Amazon Ion: binary if it begins with the version marker, else text.
#include <optional>
#include <string>

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/json/json_reader.h"
#include "server/bulk/export/ion_line.h"
#include "server/formats/ion/ion_binary.h"
#include "server/formats/ion/ion_item.h"
#include "server/formats/ion/ion_text.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using server::formats::IonBinary;
using server::formats::IonItem;
using server::formats::IonTextStep;

// nullopt: no table would take it.
std::optional<storage::Item> stored_item(api::json::Value item) {
  try {
    return api::json::read_item(item, api::json::kOlderDialect);
  } catch (const api::ApiError&) {
    return std::nullopt;
  }
}

// A record that was read is an item, and reads the same after it is written. The reader of the line
// checks strings that are not UTF-8.
void check_record(const IonItem& read) {
  if (read.problem()) return;
  std::string line = read.line();
  api::json::Document document;
  const std::optional<api::json::Value> record = document.parse(line);
  if (!record) return;
  const api::json::Value content = record->object().find("Item");
  require(content.is_object(), "a record has an item", read.line());
  std::string text;
  const std::optional<storage::Item> item = stored_item(content);
  if (!item) return;
  server::bulk::append_ion_line(*item, text);
  IonItem again;
  const IonTextStep step = server::formats::read_ion_text(text, true, again);
  require(step.kind == IonTextStep::Kind::kRecord && !again.problem(), "what is written is read",
          text);
  std::string twice;
  line = again.line();
  const std::optional<api::json::Value> same = document.parse(line);
  require(same.has_value(), "it is JSON", again.line());
  const std::optional<storage::Item> item_again = stored_item(same->object().find("Item"));
  require(item_again.has_value(), "it is an item", again.line());
  server::bulk::append_ion_line(*item_again, twice);
  require(twice == text, "it is read as it was written", text);
}

void read_binary(std::string_view rest) {
  IonBinary binary;
  IonItem item;
  try {
    while (!rest.empty()) {
      const std::optional<std::size_t> size = IonBinary::value_size(rest);
      if (!size || *size > rest.size()) return;
      require(*size > 0, "a value has a size", rest);
      if (binary.read(rest.substr(0, *size), item)) check_record(item);
      rest.remove_prefix(*size);
    }
  } catch (const server::formats::IonDamage&) {
    return;
  }
}

}  // namespace

void fuzz_ion(std::string_view input) {
  if (input.starts_with(IonBinary::kVersionMarker)) {
    read_binary(input);
    return;
  }
  IonItem item;
  while (true) {
    const IonTextStep step = server::formats::read_ion_text(input, true, item);
    require(step.kind != IonTextStep::Kind::kMore, "nothing follows", input);
    if (step.kind != IonTextStep::Kind::kRecord) return;
    require(step.end > 0 && step.end <= input.size(), "a record has a size", input);
    check_record(item);
    input.remove_prefix(step.end);
  }
}

}  // namespace magneto::fuzz
