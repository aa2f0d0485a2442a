#include "api/costs/cost_formats.h"
#include "api/costs/fixed_number.h"
#include "api/json/json_writer.h"

namespace magneto::api {
namespace {

constexpr std::string_view kColumns[] = {"pattern",
                                         "operation",
                                         "statement",
                                         "table",
                                         "index",
                                         "key",
                                         "filter",
                                         "consistent",
                                         "fetch",
                                         "table_class",
                                         "replicas",
                                         "calls_per_second",
                                         "calls",
                                         "errors",
                                         "throttles",
                                         "items_read",
                                         "items_returned",
                                         "read_units",
                                         "write_units",
                                         "read_capacity",
                                         "write_capacity",
                                         "month_on_demand",
                                         "month_provisioned",
                                         "marks"};

constexpr int kDecimals = 6;

// One record of the file.
class CsvLine {
 public:
  explicit CsvLine(std::string& out) : out_(out) {}

  void text(std::string_view cell) {
    begin_cell();
    const bool looks_like_formula =
        !cell.empty() && std::string_view("=+-@\t\r\n").find(cell[0]) != std::string_view::npos;
    if (!looks_like_formula && cell.find_first_of(",\"\r\n") == std::string_view::npos) {
      out_ += cell;
      return;
    }
    out_ += '"';
    if (looks_like_formula) out_ += '\'';
    for (const char byte : cell) {
      if (byte == '"') out_ += '"';
      out_ += byte;
    }
    out_ += '"';
  }
  void flag(bool value) { text(value ? "yes" : "no"); }
  void count(std::uint64_t value) {
    begin_cell();
    json::append_integer(out_, static_cast<std::int64_t>(value));
  }
  void number(double value) {
    begin_cell();
    append_fixed(value, kDecimals, out_);
  }
  void number(const std::optional<double>& value) {
    if (value) return number(*value);
    begin_cell();
  }
  void skip(std::size_t cells) {
    for (; cells > 0; --cells) begin_cell();
  }
  void end() { out_ += "\r\n"; }

 private:
  void begin_cell() {
    if (!is_first_) out_ += ',';
    is_first_ = false;
  }

  std::string& out_;
  bool is_first_ = true;
};

void add_sums(const CostSums& sums, CsvLine& line) {
  line.count(sums.calls);
  line.count(sums.errors);
  line.count(sums.throttles);
  line.number(sums.items_read);
  line.number(sums.items_returned);
  line.number(sums.read_units);
  line.number(sums.write_units);
  line.number(sums.read_capacity);
  line.number(sums.write_capacity);
  line.number(sums.on_demand);
  line.number(sums.provisioned);
}

void add_record(const CostRow& row, std::string& out) {
  CsvLine line(out);
  line.text(row.name);
  line.text(row.operation);
  line.text(row.verb);
  line.text(row.table);
  line.text(row.index);
  line.text(row.key);
  line.flag(row.reading.filters);
  line.flag(row.reading.consistent);
  line.flag(row.reading.fetches);
  line.text(row.is_infrequent ? "STANDARD_INFREQUENT_ACCESS" : "STANDARD");
  line.count(row.replicas);
  line.number(row.calls_per_second);
  add_sums(row.sums, line);
  std::string marks;
  for (const std::string_view kind : row.kinds) marks.append(marks.empty() ? "" : " ").append(kind);
  line.text(marks);
  line.end();
}

void add_sum_record(std::string_view name, const CostSums& sums, std::string& out) {
  constexpr std::size_t kCellsBetween = 11;  // from "operation" to "calls_per_second"
  CsvLine line(out);
  line.text(name);
  line.skip(kCellsBetween);
  add_sums(sums, line);
  line.skip(1);
  line.end();
}

}  // namespace

std::string cost_csv(const CostReport& report) {
  std::string text;
  CsvLine head(text);
  for (const std::string_view column : kColumns) head.text(column);
  head.end();
  for (const CostRow& row : report.rows) add_record(row, text);
  if (report.other_patterns != 0) add_sum_record("other", report.other, text);
  add_sum_record("total", report.total, text);
  return text;
}

}  // namespace magneto::api
