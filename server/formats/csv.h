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

// CSV (RFC 4180) with typed columns: the first record names each attribute with its type, "name:S".
// An empty cell without quotes means that the item does not have the attribute; "" is an empty
// value. The content of a cell depends on the type:
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

// A limit for memory, more columns than the items of any real table need.
inline constexpr std::size_t kMaxCsvColumns = 10'000;

struct CsvCell {
  std::string text;
  bool quoted = false;
};

// Removes the next record from `text` and reads its cells. Reuses the memory of `cells`, of which
// the first `count` are valid. Accepts both line ends (LF and CR LF); an empty line is a record
// without cells. Returns nullopt on success. If the text does not begin with a valid record,
// returns the reason and removes only the first line. `delimiter` separates the cells.
std::optional<std::string_view> take_csv_record(std::string_view& text, std::vector<CsvCell>& cells,
                                                std::size_t& count, char delimiter = ',');

// The number of bytes that take_csv_record would remove for the first record, valid or not. nullopt
// if the end depends on text that follows.
std::optional<std::size_t> csv_record_size(std::string_view text, char delimiter = ',');

// The columns from a first record. Columns without a type take theirs from `types`, a list
// "name:S,other:N". Returns a sentence about the problem on failure.
std::variant<CsvColumns, std::string> read_csv_columns(const std::vector<CsvCell>& cells,
                                                       std::size_t count, std::string_view types);

// Replaces `item` with the typed form of a record. Returns nullopt on success, otherwise the reason
// why the record is not an item. The endpoint validates values such as numbers. `document` is
// scratch space.
std::optional<std::string> read_csv_item(const CsvColumns& columns,
                                         const std::vector<CsvCell>& cells, std::size_t count,
                                         api::json::Document& document, std::string& item);

// Appends the first record, with the names of the columns.
void append_csv_columns(const CsvColumns& columns, std::string& out);
// Appends the record of a typed item. False if an attribute has no column, or a type other than the
// column's; `out` is then unchanged.
bool append_csv_item(const CsvColumns& columns, api::json::Value item, std::string& out);

}  // namespace magneto::server::formats
