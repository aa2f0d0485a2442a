#include <cmath>

#include "api/costs/cost_formats.h"
#include "api/json/json_writer.h"

namespace magneto::api {
namespace {

// A millionth of a dollar or of a unit: sums of binary fractions show no more.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

void write_number(std::string_view name, double value, json::Writer& writer) {
  writer.key(name);
  writer.number(rounded(value));
}

void write_number(std::string_view name, const std::optional<double>& value, json::Writer& writer) {
  if (value) return write_number(name, *value, writer);
  writer.key(name);
  writer.null();
}

void write_text(std::string_view name, std::string_view text, json::Writer& writer) {
  if (!text.empty()) return writer.text(name, text);
  writer.key(name);
  writer.null();
}

void write_flag(std::string_view name, bool value, json::Writer& writer) {
  writer.key(name);
  writer.boolean(value);
}

void write_unit_prices(std::string_view name, const UnitPrices& prices, json::Writer& writer) {
  const auto write = [&writer](std::string_view unit, const std::optional<double>& price) {
    writer.key(unit);
    if (price) {
      writer.number(*price);
    } else {
      writer.null();
    }
  };
  writer.key(name);
  writer.begin_object();
  write("read", prices.read);
  write("write", prices.write);
  writer.end_object();
}

void write_class_prices(std::string_view name, const ClassPrices& prices, json::Writer& writer) {
  writer.key(name);
  writer.begin_object();
  write_unit_prices("on_demand", prices.on_demand, writer);
  write_unit_prices("provisioned", prices.provisioned, writer);
  writer.end_object();
}

void write_basis(const CostReport& report, json::Writer& writer) {
  const Prices& prices = report.request.prices;
  writer.text("namespace", report.name_space);
  write_text("table", report.request.table, writer);
  writer.text("region", prices.region);
  writer.key("prices");
  writer.begin_object();
  write_text("date", prices.date, writer);
  write_text("source", prices.source, writer);
  write_class_prices("standard", prices.standard, writer);
  write_class_prices("standard_ia", prices.infrequent, writer);
  writer.end_object();
  write_number("hours", CostReport::kHours, writer);
  write_number("utilization", report.request.utilization, writer);
  write_number("calls_per_second", report.request.calls_per_second, writer);
  writer.integer("requests", static_cast<std::int64_t>(report.requests));
  writer.integer("other_requests", static_cast<std::int64_t>(report.other_requests));
  writer.integer("dropped", static_cast<std::int64_t>(report.dropped));
}

void write_sums(const CostSums& sums, json::Writer& writer) {
  writer.integer("calls", static_cast<std::int64_t>(sums.calls));
  writer.integer("errors", static_cast<std::int64_t>(sums.errors));
  writer.integer("throttles", static_cast<std::int64_t>(sums.throttles));
  write_number("items_read", sums.items_read, writer);
  write_number("items_returned", sums.items_returned, writer);
  write_number("read_units", sums.read_units, writer);
  write_number("write_units", sums.write_units, writer);
  write_number("read_capacity", sums.read_capacity, writer);
  write_number("write_capacity", sums.write_capacity, writer);
  writer.key("month");
  writer.begin_object();
  write_number("on_demand", sums.on_demand, writer);
  write_number("provisioned", sums.provisioned, writer);
  writer.end_object();
}

void write_averages(const CostRow& row, json::Writer& writer) {
  writer.key("average");
  writer.begin_object();
  write_number("items_read", row.average(row.sums.items_read), writer);
  write_number("items_returned", row.average(row.sums.items_returned), writer);
  write_number("read_units", row.average(row.sums.read_units), writer);
  write_number("write_units", row.average(row.sums.write_units), writer);
  writer.end_object();
}

void write_row(const CostRow& row, json::Writer& writer) {
  writer.begin_object();
  writer.text("name", row.name);
  writer.text("operation", row.operation);
  write_text("statement", row.verb, writer);
  writer.text("table", row.table);
  write_text("index", row.index, writer);
  write_text("key", row.key, writer);
  write_flag("filter", row.reading.filters, writer);
  write_flag("consistent", row.reading.consistent, writer);
  write_flag("fetch", row.reading.fetches, writer);
  writer.text("table_class", row.is_infrequent ? "STANDARD_INFREQUENT_ACCESS" : "STANDARD");
  writer.integer("replicas", static_cast<std::int64_t>(row.replicas));
  write_number("calls_per_second", row.calls_per_second, writer);
  write_sums(row.sums, writer);
  write_averages(row, writer);
  writer.key("marks");
  writer.begin_array();
  for (const std::string_view kind : row.kinds) writer.string(kind);
  writer.end_array();
  writer.end_object();
}

void write_marks(const CostReport& report, json::Writer& writer) {
  writer.key("marks");
  writer.begin_array();
  for (const CostMark& mark : report.marks) {
    writer.begin_object();
    writer.text("mark", mark.kind);
    write_text("pattern", mark.pattern, writer);
    writer.text("sentence", mark.sentence);
    writer.end_object();
  }
  writer.end_array();
  writer.key("notes");
  writer.begin_array();
  for (const std::string& note : report.notes) writer.string(note);
  writer.end_array();
}

}  // namespace

std::string cost_json(const CostReport& report) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  write_basis(report, writer);
  writer.key("patterns");
  writer.begin_array();
  for (const CostRow& row : report.rows) write_row(row, writer);
  writer.end_array();
  writer.key("other");
  if (report.other_patterns == 0) {
    writer.null();
  } else {
    writer.begin_object();
    writer.integer("patterns", static_cast<std::int64_t>(report.other_patterns));
    write_sums(report.other, writer);
    writer.end_object();
  }
  writer.key("total");
  writer.begin_object();
  write_sums(report.total, writer);
  writer.end_object();
  write_marks(report, writer);
  writer.end_object();
  return text;
}

}  // namespace magneto::api
