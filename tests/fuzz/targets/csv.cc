// A CSV file. Its first record names columns with their types.
#include "server/formats/csv.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "api/json/json_reader.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool is_at_end() const { return text_.empty(); }

  // Takes the next record. Returns its fault; nullopt if it has none.
  std::optional<std::string_view> take() {
    const std::string_view before = text_;
    const auto problem = server::formats::take_csv_record(text_, cells_, count_);
    require(text_.size() < before.size(), "a record has a size", before);
    require(before.ends_with(text_), "a record is taken off the front", before);
    // If the text continues, a record with an end stays the same.
    const auto size = server::formats::csv_record_size(before);
    require(!size || *size == before.size() - text_.size(), "a record has one size", before);
    return problem;
  }

  std::variant<server::formats::CsvColumns, std::string> columns() const {
    return server::formats::read_csv_columns(cells_, count_, {});
  }
  std::optional<std::string> item(const server::formats::CsvColumns& columns, std::string& item) {
    return server::formats::read_csv_item(columns, cells_, count_, document_, item);
  }

 private:
  std::string_view text_;
  std::vector<server::formats::CsvCell> cells_;
  std::size_t count_ = 0;
  api::json::Document document_;
};

// An item is JSON, unless a text is not UTF-8: then the reader of the item refuses it. An item that
// its columns can carry reads as it was written.
void check_item(const server::formats::CsvColumns& columns, const std::string& item) {
  api::json::Document document;
  std::string parsed = item;
  const auto value = document.parse(parsed);
  const bool is_ascii = std::ranges::all_of(item, [](unsigned char c) { return c < 0x80; });
  if (!value && !is_ascii) return;
  require(value && value->is_object(), "an item is JSON", item);
  std::string text;
  server::formats::append_csv_columns(columns, text);
  if (!server::formats::append_csv_item(columns, *value, text)) return;
  Reader reader(text);
  require(!reader.take(), "columns that are written can be read", text);
  auto same = reader.columns();
  require(std::holds_alternative<server::formats::CsvColumns>(same), "they are columns", text);
  require(!reader.take(), "an item that is written can be read", text);
  std::string again;
  const auto problem = reader.item(std::get<server::formats::CsvColumns>(same), again);
  require(!problem, "it is an item", problem.value_or(""));
  api::json::Document other;
  const auto value_again = other.parse(again);
  std::string twice;
  server::formats::append_csv_columns(columns, twice);
  require(server::formats::append_csv_item(columns, *value_again, twice), "it can be written again",
          again);
  require_equal(twice, text, "an item is read as it was written");
}

}  // namespace

void fuzz_csv(std::string_view input) {
  Reader reader(input);
  if (reader.is_at_end() || reader.take()) return;
  const auto read = reader.columns();
  const auto* columns = std::get_if<server::formats::CsvColumns>(&read);
  if (columns == nullptr) return;
  std::string item;
  while (!reader.is_at_end()) {
    if (reader.take()) continue;
    if (!reader.item(*columns, item)) check_item(*columns, item);
  }
}

}  // namespace magneto::fuzz
