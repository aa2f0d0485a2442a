#include <cmath>
#include <initializer_list>

#include "api/costs/cost_formats.h"
#include "api/costs/fixed_number.h"
#include "api/json/json_writer.h"
#include "api/messages/cost_messages.h"

namespace magneto::api {
namespace {

constexpr std::string_view kHead =
    "| pattern | calls a second | calls | read | returned | RRU | WRU | on demand | provisioned | marks |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n";

// A span of code: nothing in it is a link, a mention or HTML. Backticks would end it, and a pipe
// would end the cell of a table, even in code.
std::string code(std::string_view text, bool is_in_table) {
  std::string span = "`";
  for (const char byte : text) {
    const auto code_unit = static_cast<unsigned char>(byte);
    if (byte == '`') {
      span += '\'';
    } else if (byte == '|' && is_in_table) {
      span += "\\|";
    } else {
      span += code_unit < 0x20 || code_unit == 0x7F ? ' ' : byte;
    }
  }
  return span += '`';
}

// A sentence with names in it. An invisible space keeps GitHub from taking "@name" for a mention,
// and "#1" for an issue.
std::string escaped(std::string_view sentence) {
  constexpr std::string_view kMarkup = "\\`*_{}[]<>()#|~!&@";
  constexpr std::string_view kZeroWidthSpace = "\u200B";
  std::string text;
  for (const char byte : sentence) {
    if (static_cast<unsigned char>(byte) < 0x20) {
      text += ' ';
      continue;
    }
    if (kMarkup.find(byte) != std::string_view::npos) text += '\\';
    text += byte;
    if (byte == '@' || byte == '#') text += kZeroWidthSpace;
  }
  return text;
}

std::string dollars(const std::optional<double>& price) {
  constexpr int kCentParts = 4;
  std::string text;
  if (!price) return "-";
  text += '$';
  append_fixed(*price, kCentParts, text);
  return text;
}

std::string rounded_number(double value) {
  constexpr double kParts = 1'000;
  std::string text;
  json::append_double(text, std::round(value * kParts) / kParts);
  return text;
}

void add_table_line(std::initializer_list<std::string_view> cells, std::string& out) {
  for (const std::string_view cell : cells) out.append("| ").append(cell).append(" ");
  out += "|\n";
}

void add_table_line(std::string_view name, std::string_view rate, const CostSums& sums,
                    std::string_view marks, std::string& out) {
  add_table_line(
      {name, rate, std::to_string(sums.calls), rounded_number(sums.items_read),
       rounded_number(sums.items_returned), rounded_number(sums.read_units),
       rounded_number(sums.write_units), dollars(sums.on_demand), dollars(sums.provisioned), marks},
      out);
}

void add_table_row(const CostRow& row, std::string& out) {
  std::string marks;
  for (const std::string_view kind : row.kinds) {
    marks.append(marks.empty() ? "" : ", ").append(code(kind, true));
  }
  add_table_line(code(row.name, true), rounded_number(row.calls_per_second), row.sums, marks, out);
}

}  // namespace

std::string cost_markdown(const CostReport& report) {
  const CostRequest& request = report.request;
  const Prices& prices = request.prices;
  std::string text =
      escaped(messages::cost_basis(prices.region, request.calls_per_second, request.utilization));
  text += ' ';
  text += escaped(prices.date.empty() ? std::string(messages::kOwnPrices)
                                      : messages::price_source(prices.date, prices.source));
  text += "\n\n";
  for (const std::string& note : report.notes) text.append(escaped(note)).append("\n\n");
  text += kHead;
  for (const CostRow& row : report.rows) add_table_row(row, text);
  if (report.other_patterns != 0) {
    add_table_line(std::to_string(report.other_patterns) + " other patterns", "", report.other, "",
                   text);
  }
  add_table_line("**total**", "", report.total, "", text);
  text += '\n';
  if (report.marks.empty()) text.append(messages::kNoMarks).append("\n");
  for (const CostMark& mark : report.marks) {
    text.append("- ").append(code(mark.kind, false)).append(" ");
    if (!mark.pattern.empty()) text.append(code(mark.pattern, false)).append(": ");
    text.append(escaped(mark.sentence)).append("\n");
  }
  return text;
}

}  // namespace magneto::api
