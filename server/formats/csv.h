#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/json/json_reader.h"

namespace magneto::server::formats {

// CSV (RFC 4180) whose columns have types: the first record names each attribute with its type,
// "name:S". An empty cell without quotes is an attribute that the item does not have; "" is an empty
// value. By type a cell holds:
//
//   S, N      the text, the number
//   B         base64
//   BOOL      true or false
//   NULL      null
//   SS NS BS  a JSON array of strings: ["a","b"]
//   L, M      the typed JSON of the content: [{"S":"a"}], {"k":{"N":"1"}}
//   ANY       the typed JSON of the value: {"S":"a"}; for attributes of several types
struct CsvColumn {
  std::string name;
  std::string type;
};
using CsvColumns = std::vector<CsvColumn>;

// More columns than any table of items has, which would take memory without end.
inline constexpr std::size_t kMaxCsvColumns = 10'000;

struct CsvCell {
  std::string text;
  bool quoted = false;
};

// Takes the next record off `text`: cells, of which the memory is used again, and how many of them.
// Both ends of a line are taken, and an empty line is a record of no cell. Why it is none, and then
// only its first line is taken; nullopt when it is one.
// `delimiter` stands between cells.
std::optional<std::string_view> take_csv_record(std::string_view& text, std::vector<CsvCell>& cells,
                                                std::size_t& count, char delimiter = ',');

// The size of the record that `text` begins with, as take_csv_record takes it off, whether it is one
// or not. nullopt: where it ends depends on what follows the text.
std::optional<std::size_t> csv_record_size(std::string_view text, char delimiter = ',');

// The columns of a first record; those without a type of their own have that of `types`, a list
// "name:S,other:N". What is wrong with them otherwise: a sentence.
std::variant<CsvColumns, std::string> read_csv_columns(const std::vector<CsvCell>& cells,
                                                       std::size_t count, std::string_view types);

// Replaces `item` with the typed form of a record. Why it is no item; nullopt when it is one.
// Whether numbers and the like are sound is for the endpoint to say. `document` is used on the way.
std::optional<std::string> read_csv_item(const CsvColumns& columns,
                                         const std::vector<CsvCell>& cells, std::size_t count,
                                         api::json::Document& document, std::string& item);

// Appends the first record.
void append_csv_columns(const CsvColumns& columns, std::string& out);
// Appends the record of a typed item. False when it has an attribute that no column has, or of
// another type than the column's; `out` is as it was then.
bool append_csv_item(const CsvColumns& columns, api::json::Value item, std::string& out);

}  // namespace magneto::server::formats
