#include "server/formats/csv.h"

#include <gtest/gtest.h>

#include <random>

namespace magneto::server::formats {
namespace {

// Returns the cells of the next record, in brackets, quoted ones in quotes; "no" for a fault.
std::string record(std::string_view& text) {
  std::vector<CsvCell> cells = {{.text = "old", .quoted = true}};
  std::size_t count = 0;
  if (const auto problem = take_csv_record(text, cells, count)) return "no";
  std::string shown;
  for (std::size_t i = 0; i < count; ++i) {
    shown += cells[i].quoted ? "<\"" + cells[i].text + "\">" : "<" + cells[i].text + ">";
  }
  return shown;
}

std::string record_of(std::string_view text) { return record(text); }

CsvColumns columns_of(std::string_view text, std::string_view types = {}) {
  std::vector<CsvCell> cells;
  std::size_t count = 0;
  take_csv_record(text, cells, count);
  const auto columns = read_csv_columns(cells, count, types);
  return std::holds_alternative<CsvColumns>(columns) ? std::get<CsvColumns>(columns) : CsvColumns();
}

std::string item_of(std::string_view columns, std::string_view text) {
  std::vector<CsvCell> cells;
  std::size_t count = 0;
  take_csv_record(text, cells, count);
  api::json::Document document;
  std::string item;
  const auto problem = read_csv_item(columns_of(columns), cells, count, document, item);
  return problem ? "no" : item;
}

TEST(Csv, TakesRecords) {
  std::string_view text = "a,\"b,\"\"c\"\"\r\nd\",\r\n\n,\n\"\"\nlast";
  EXPECT_EQ(record(text), "<a><\"b,\"c\"\r\nd\"><>");
  EXPECT_EQ(record(text), "");
  EXPECT_EQ(record(text), "<><>");
  EXPECT_EQ(record(text), "<\"\">");
  EXPECT_EQ(record(text), "<last>");
  EXPECT_TRUE(text.empty());
}

TEST(Csv, TakesOtherDelimiters) {
  for (const char delimiter : {';', ':', '|', '\t', ' '}) {
    const std::string first = std::string("a,b") + delimiter + "\"c" + delimiter + "\n\"\n";
    const std::string whole = first + "d,e\n";
    EXPECT_EQ(csv_record_size(whole, delimiter), first.size());
    std::string_view text = whole;
    std::vector<CsvCell> cells;
    std::size_t count = 0;
    EXPECT_FALSE(take_csv_record(text, cells, count, delimiter));
    ASSERT_EQ(count, 2U);
    EXPECT_EQ(cells[0].text, "a,b");
    EXPECT_EQ(cells[1].text, std::string("c") + delimiter + "\n");
    EXPECT_FALSE(take_csv_record(text, cells, count, delimiter));
    EXPECT_EQ(count, 1U);
  }
}

TEST(Csv, RefusesStrayQuotes) {
  for (const char* const text :
       {"a\"b\nc", "\"a\"b\nc", "\"a\" ,b\nc", "\"a", "a\rb", "\"a\"\"", "a,\"b\n"}) {
    EXPECT_EQ(record_of(text), "no") << text;
  }
  std::string_view text = "\"a\"b\nc\n";
  EXPECT_EQ(record(text), "no");
  EXPECT_EQ(record(text), "<c>");
}

TEST(Csv, NamesWhatIsWrong) {
  const auto problem_of = [](std::string_view text) {
    std::vector<CsvCell> cells;
    std::size_t count = 0;
    return std::string(take_csv_record(text, cells, count).value_or("none"));
  };
  EXPECT_EQ(problem_of("a,\"b\n"), "has a quoted cell without a closing quote");
  constexpr const char* kStray =
      "has a quote, or a carriage return, inside a cell that is not quoted as a whole";
  EXPECT_EQ(problem_of("a\"b\n"), kStray);
  EXPECT_EQ(problem_of("\"a\" ,b\n"), kStray);
  EXPECT_EQ(problem_of("a\rb\n"), kStray);
  EXPECT_EQ(problem_of(std::string(9'999, ',')), "none");
  EXPECT_EQ(problem_of(std::string(10'000, ',')), "has more than 10,000 cells");
}

TEST(Csv, ReadsTypesOfColumns) {
  const CsvColumns columns = columns_of("pk:S,a:b:N,\"c,d:ANY\",plain", "x:N,plain:SS");
  ASSERT_EQ(columns.size(), 4U);
  EXPECT_EQ(columns[0].name, "pk");
  EXPECT_EQ(columns[1].name, "a:b");
  EXPECT_EQ(columns[1].type, "N");
  EXPECT_EQ(columns[2].name, "c,d");
  EXPECT_EQ(columns[3].type, "SS");
  EXPECT_TRUE(columns_of("a").empty());
  EXPECT_TRUE(columns_of("a:x").empty());
  EXPECT_TRUE(columns_of("a:S,a:N").empty());
  EXPECT_TRUE(columns_of("").empty());
}

TEST(Csv, TellsMissingFromEmptyFromNull) {
  EXPECT_EQ(item_of("a:S,b:S,c:NULL,d:ANY", ",\"\",null,\"{\"\"NULL\"\":true}\""),
            R"({"b":{"S":""},"c":{"NULL":true},"d":{"NULL":true}})");
}

TEST(Csv, ReadsEachType) {
  EXPECT_EQ(
      item_of("s:S,n:N,b:B,t:BOOL,l:SS,m:M", "x,1.50,AA==,true,\"[\"\"a\"\"]\",{}"),
      R"({"s":{"S":"x"},"n":{"N":"1.50"},"b":{"B":"AA=="},"t":{"BOOL":true},"l":{"SS":["a"]},"m":{"M":{}}})");
  for (const auto& [column, cell] : {std::pair{"t:BOOL", "TRUE"},
                                     {"t:NULL", "x"},
                                     {"t:L", "{}"},
                                     {"t:M", "[]"},
                                     {"t:SS", "x"},
                                     {"t:ANY", "{}"},
                                     {"t:ANY", "\"{\"\"S\"\":\"\"a\"\",\"\"N\"\":\"\"1\"\"}\""},
                                     {"t:L", "\"\""},
                                     {"t:L", "\"[]},\"\"x\"\":{\"\"L\"\":[]\""}}) {
    EXPECT_EQ(item_of(column, cell), "no") << column << ' ' << cell;
  }
  EXPECT_EQ(item_of("a:S,b:S", "x"), "no");
  EXPECT_EQ(item_of("a:S", "x,y"), "no");
}

TEST(Csv, WritesWhatItReads) {
  const std::string item =
      R"({"a":{"S":"x,\"y\"\n"},"b":{"S":""},"d":{"N":"1"},"e":{"B":""},"f":{"L":[{"S":"q"}]},"g":{"BOOL":false},"h":{"SS":["1","2"]},"i":{"NULL":true},"j":{"N":"2"}})";
  const CsvColumns columns = columns_of("a:S,b:S,c:S,d:N,e:B,f:L,g:BOOL,h:SS,i:NULL,j:ANY");
  api::json::Document document;
  std::string text = item;
  std::string row;
  ASSERT_TRUE(append_csv_item(columns, *document.parse(text), row));
  std::string head;
  append_csv_columns(columns, head);
  EXPECT_EQ(head, "a:S,b:S,c:S,d:N,e:B,f:L,g:BOOL,h:SS,i:NULL,j:ANY\r\n");
  EXPECT_EQ(item_of(head, row), item);
  for (const char* const other : {R"({"z":{"S":"x"}})", R"({"a":{"N":"1"}})", R"({"a":{}})"}) {
    text = other;
    row = "before";
    EXPECT_FALSE(append_csv_item(columns, *document.parse(text), row));
    EXPECT_EQ(row, "before");
  }
}

TEST(Csv, SurvivesMutations) {
  const std::string seed = "x,\"a \"\"b\"\"\n\",1,\"[{\"\"S\"\":\"\"q\"\"}]\",true\r\n,,\"\",,\n";
  const CsvColumns columns = columns_of("a:S,b:S,n:N,l:L,t:BOOL");
  std::mt19937 random(5);
  api::json::Document document;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = seed;
    for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
      text.replace(random() % text.size(), random() % 3, 1, "\",\r\n[]{}\\x\xFF"[random() % 11]);
    }
    std::vector<CsvCell> cells;
    std::size_t count = 0;
    std::size_t records = 0;
    for (std::string_view rest = text; !rest.empty(); ++records) {
      if (take_csv_record(rest, cells, count)) continue;
      std::string item;
      if (read_csv_item(columns, cells, count, document, item)) continue;
      // No content of a cell ends the item or begins another.
      const auto parsed = document.parse(item);
      EXPECT_TRUE(!parsed || parsed->object().size() <= columns.size()) << text;
    }
    EXPECT_LE(records, text.size());
  }
}

}  // namespace
}  // namespace magneto::server::formats
