#include "server/formats/csv.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "api/json/json_writer.h"
#include "server/formats/messages.h"
#include "server/formats/record_blocks.h"

namespace magneto::server::formats {
namespace {

using api::json::Value;

constexpr std::string_view kTypes[] = {"S",  "N",  "B", "BOOL", "NULL", "SS",
                                       "NS", "BS", "L", "M",    "ANY"};
constexpr std::string_view kMustBeQuoted = ",\"\r\n";

// The characters that end an unquoted cell or must not occur in it.
std::array<char, 4> ends_of_cell(char delimiter) { return {delimiter, '"', '\r', '\n'}; }
std::string_view view_of(const std::array<char, 4>& ends) { return {ends.data(), ends.size()}; }

bool is_type(std::string_view text) { return std::ranges::find(kTypes, text) != std::end(kTypes); }

bool is_text_type(std::string_view type) { return type == "S" || type == "N" || type == "B"; }

// Reads "name:S"; the type is empty if the text after the last colon is not a type.
CsvColumn read_column(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || !is_type(text.substr(colon + 1))) {
    return {std::string(text), {}};
  }
  return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

std::string type_of(std::string_view name, std::string_view types) {
  while (!types.empty()) {
    const std::string_view part = types.substr(0, types.find(','));
    types.remove_prefix(std::min(types.size(), part.size() + 1));
    CsvColumn column = read_column(part);
    if (column.name == name) return std::move(column.type);
  }
  return {};
}

// The position after the closing quote; npos if there is none.
std::size_t take_quoted(std::string_view text, std::string& cell) {
  std::size_t at = 1;
  while (true) {
    const std::size_t quote = text.find('"', at);
    if (quote == std::string_view::npos) return quote;
    cell.append(text.substr(at, quote - at));
    if (quote + 1 == text.size() || text[quote + 1] != '"') return quote + 1;
    cell += '"';
    at = quote + 2;
  }
}

// The position after the quoted cell that begins at `at`; npos if the text is too short to find it.
std::size_t find_quoted_end(std::string_view text, std::size_t at) {
  while (true) {
    const std::size_t quote = text.find('"', at + 1);
    if (quote == std::string_view::npos || quote + 1 == text.size()) return std::string_view::npos;
    if (text[quote + 1] != '"') return quote + 1;
    at = quote + 1;
  }
}

// Removes a line end from the text; false if the text begins with something else.
bool take_end(std::string_view& text) {
  if (text.starts_with("\r\n")) {
    text.remove_prefix(2);
  } else if (text.starts_with('\n')) {
    text.remove_prefix(1);
  } else if (text == "\r") {
    text = {};
  } else {
    return text.empty();
  }
  return true;
}

// Whether the JSON has the right kind for a cell of this type.
bool fits(std::string_view type, Value content) {
  if (type == "M") return content.is_object();
  if (type != "ANY") return content.is_array();
  return content.is_object() && content.object().size() == 1;
}

bool append_cell_value(std::string_view type, const CsvCell& cell, api::json::Document& document,
                       std::string& item) {
  if (type == "BOOL") {
    if (cell.text != "true" && cell.text != "false") return false;
    item.append("{\"BOOL\":").append(cell.text).append("}");
    return true;
  }
  if (type == "NULL") {
    item.append("{\"NULL\":true}");
    return cell.text == "null";
  }
  const bool any = type == "ANY";
  if (!any) item.append("{\"").append(type).append("\":");
  if (is_text_type(type)) {
    api::json::append_string(item, cell.text);
  } else {
    // Parse the cell separately, so that its JSON must end with the cell.
    std::string text = cell.text;
    const auto parsed = document.parse(text);
    if (!parsed || !fits(type, *parsed)) return false;
    item.append(cell.text);
  }
  if (!any) item += '}';
  return true;
}

void append_cell(std::string_view text, std::string& out) {
  if (!text.empty() && text.find_first_of(kMustBeQuoted) == std::string_view::npos) {
    out.append(text);
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += c;
    out += c;
  }
  out += '"';
}

// Appends the cell of a value {"S":"x"}; false if the column cannot hold it.
bool append_value_cell(std::string_view column_type, Value value, std::string& out) {
  if (value.object().size() != 1) return false;
  const auto [type, content] = *value.object().begin();
  std::string text;
  if (column_type == "ANY") {
    append_compact(value, text);
  } else if (type != column_type) {
    return false;
  } else if (is_text_type(type)) {
    text = content.string();
  } else if (type == "NULL") {
    text = "null";
  } else {
    append_compact(content, text);
  }
  append_cell(text, out);
  return true;
}

}  // namespace

std::optional<std::string_view> take_csv_record(std::string_view& text, std::vector<CsvCell>& cells,
                                                std::size_t& count, char delimiter) {
  const std::array<char, 4> ends = ends_of_cell(delimiter);
  std::string_view rest = text;
  count = 0;
  if (take_end(rest)) {
    text = rest;
    return std::nullopt;
  }
  while (true) {
    if (count == cells.size()) cells.emplace_back();
    CsvCell& cell = cells[count++];
    cell.text.clear();
    cell.quoted = rest.starts_with('"');
    std::size_t end = 0;
    if (cell.quoted) {
      end = take_quoted(rest, cell.text);
    } else {
      end = std::min(rest.find_first_of(view_of(ends)), rest.size());
      cell.text.assign(rest.substr(0, end));
    }
    rest.remove_prefix(std::min(end, rest.size()));
    if (end != std::string_view::npos && rest.starts_with(delimiter) && count < kMaxCsvColumns) {
      rest.remove_prefix(1);
      continue;
    }
    if (end != std::string_view::npos && take_end(rest)) {
      text = rest;
      return std::nullopt;
    }
    take_line(text);
    if (end == std::string_view::npos) return messages::kNoClosingQuote;
    return rest.starts_with(delimiter) ? messages::kTooManyCells : messages::kStrayQuote;
  }
}

std::optional<std::size_t> csv_record_size(std::string_view text, char delimiter) {
  const std::array<char, 4> ends = ends_of_cell(delimiter);
  const std::size_t feed = text.find('\n');
  // Without a quote, the record is the first line, valid or not.
  std::size_t at = text.substr(0, feed).find('"');
  if (at == std::string_view::npos) {
    return feed == std::string_view::npos ? std::nullopt : std::optional(feed + 1);
  }
  at = 0;
  for (std::size_t count = 1;; ++count) {
    const bool quoted = at < text.size() && text[at] == '"';
    at = quoted ? find_quoted_end(text, at) : text.find_first_of(view_of(ends), at);
    if (at >= text.size()) return std::nullopt;
    if (text[at] != delimiter || count == kMaxCsvColumns) break;
    ++at;
  }
  if (text[at] == '\n') return at + 1;
  if (text[at] == '\r') {
    if (at + 1 == text.size()) return std::nullopt;
    if (text[at + 1] == '\n') return at + 2;
  }
  // Not a valid record: skip its first line.
  return feed == std::string_view::npos ? std::nullopt : std::optional(feed + 1);
}

std::variant<CsvColumns, std::string> read_csv_columns(const std::vector<CsvCell>& cells,
                                                       std::size_t count, std::string_view types) {
  CsvColumns columns;
  std::set<std::string, std::less<>> names;
  for (std::size_t i = 0; i < count; ++i) {
    CsvColumn column = read_column(cells[i].text);
    if (column.type.empty()) column.type = type_of(column.name, types);
    if (column.type.empty()) return messages::kNoColumnType(column.name);
    if (!names.insert(column.name).second) return messages::kRepeatedColumn(column.name);
    columns.push_back(std::move(column));
  }
  if (columns.empty()) return std::string(messages::kNoColumns);
  return columns;
}

std::optional<std::string> read_csv_item(const CsvColumns& columns,
                                         const std::vector<CsvCell>& cells, std::size_t count,
                                         api::json::Document& document, std::string& item) {
  if (count != columns.size()) return std::string(messages::kOtherColumns);
  item.assign("{");
  for (std::size_t i = 0; i < count; ++i) {
    const CsvCell& cell = cells[i];
    if (cell.text.empty() && !cell.quoted) continue;
    if (item.size() > 1) item += ',';
    api::json::append_string(item, columns[i].name);
    item += ':';
    if (!append_cell_value(columns[i].type, cell, document, item)) {
      return messages::kOtherCell(columns[i].type, columns[i].name);
    }
  }
  item += '}';
  return std::nullopt;
}

void append_csv_columns(const CsvColumns& columns, std::string& out) {
  for (const CsvColumn& column : columns) {
    if (&column != &columns.front()) out += ',';
    append_cell(column.name + ":" + column.type, out);
  }
  out += "\r\n";
}

bool append_csv_item(const CsvColumns& columns, Value item, std::string& out) {
  const std::size_t start = out.size();
  std::size_t written = 0;
  // Sorted, since an item may have as many attributes as there are columns.
  using Member = std::pair<std::string_view, Value>;
  std::vector<Member> members;
  for (const auto [name, value] : item.object()) members.emplace_back(name, value);
  std::ranges::sort(members, {}, &Member::first);
  for (const CsvColumn& column : columns) {
    if (&column != &columns.front()) out += ',';
    const auto found = std::ranges::lower_bound(members, column.name, {}, &Member::first);
    if (found == members.end() || found->first != column.name) continue;
    if (!append_value_cell(column.type, found->second, out)) {
      out.resize(start);
      return false;
    }
    ++written;
  }
  out += "\r\n";
  if (written == item.object().size()) return true;
  out.resize(start);
  return false;
}

}  // namespace magneto::server::formats
