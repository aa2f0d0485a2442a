#include "server/admin/metrics/event_source_families.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "server/admin/metrics/storage_families.h"

namespace magneto::server::admin {
namespace {

using Statistics = feeds::EventSourceStatistics;

void add_to(Statistics& sum, const Statistics& more) {
  sum.invocations += more.invocations;
  sum.failures += more.failures;
  sum.delivered += more.delivered;
  sum.filtered += more.filtered;
  sum.dropped += more.dropped;
  sum.age_seconds = std::max(sum.age_seconds, more.age_seconds);
}

std::vector<Statistics> rows_of(const std::vector<Statistics>& mappings) {
  if (mappings.size() <= kMostMappingsOfAPage) return mappings;
  const auto first_other = mappings.begin() + kMostMappingsOfAPage;
  std::vector<Statistics> rows(mappings.begin(), first_other);
  Statistics& others = rows.emplace_back();
  others.function = others.source = kOtherTables;
  std::for_each(first_other, mappings.end(), [&](const Statistics& more) { add_to(others, more); });
  return rows;
}

void add(const std::vector<Statistics>& rows, std::uint64_t Statistics::*count,
         MetricFamilies& families) {
  for (const Statistics& row : rows) {
    families.add(row.*count, {{"function", row.function}, {"source", row.source}});
  }
}

}  // namespace

void add_event_source_families(const std::vector<Statistics>& mappings, MetricFamilies& families) {
  const std::vector<Statistics> rows = rows_of(mappings);
  families.begin_counter("magneto_function_invocations_total",
                         "Calls of a function with records of a stream that may have run");
  add(rows, &Statistics::invocations, families);
  families.begin_counter("magneto_function_failures_total", "Calls of them that failed");
  add(rows, &Statistics::failures, families);
  families.begin_counter("magneto_function_records_total",
                         "Records of a stream, by what became of them");
  for (const Statistics& row : rows) {
    const auto add_records = [&](std::string_view result, std::uint64_t count) {
      families.add(count, {{"function", row.function}, {"source", row.source}, {"result", result}});
    };
    add_records("delivered", row.delivered);
    add_records("filtered", row.filtered);
    add_records("dropped", row.dropped);
  }
  families.begin_gauge("magneto_function_iterator_age_seconds",
                       "Age of the oldest record that was read for a function and waits");
  for (const Statistics& row : rows) {
    families.add(row.age_seconds, {{"function", row.function}, {"source", row.source}});
  }
}

}  // namespace magneto::server::admin
