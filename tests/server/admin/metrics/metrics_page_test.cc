#include "server/admin/metrics/metrics_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "server/admin/metrics/event_source_families.h"
#include "server/admin/metrics/storage_families.h"
#include "storage/database_statistics.h"

namespace magneto::server::admin {
namespace {

std::string page_of(const api::ServiceStatistics& service, const http::RequestTotals& totals = {},
                    const std::vector<std::string>& tables = {}) {
  return metrics_page({}, totals, tables, service);
}

bool has_line(const std::string& page, const std::string& line) {
  return ("\n" + page).find("\n" + line + "\n") != std::string::npos;
}

// conformance/metrics_test.py reads the whole form. This test has a name that no table can have.
TEST(MetricsPageTest, NamesCannotBreakTheForm) {
  api::ServiceStatistics service;
  service.store.tables.push_back({.name = "a\"} 1\n# TYPE \\x", .indexes = {}, .stream_lag = {}});
  const std::string page = page_of(service);
  EXPECT_TRUE(has_line(page, R"(magneto_table_items{table="a\"} 1\n# TYPE \\x"} 0)")) << page;
}

TEST(MetricsPageTest, TablesOfTheSameNameAreOneSample) {
  api::ServiceStatistics service;
  for (int i = 1; i <= 2; ++i) {
    service.store.tables.push_back(
        {.name = "Roles",
         .items = i,
         .bytes = 10 * i,
         .indexes = {{.name = "ByFilm",
                      .items = i,
                      .lag = storage::IndexLag{.changes = 3, .time = std::chrono::seconds(i)}}},
         .stream_lag = std::chrono::seconds(2 * i)});
  }
  const std::string page = page_of(service);
  EXPECT_TRUE(has_line(page, R"(magneto_table_items{table="Roles"} 3)")) << page;
  EXPECT_TRUE(has_line(page, R"(magneto_table_bytes{table="Roles"} 30)"));
  EXPECT_TRUE(has_line(page, R"(magneto_index_changes_behind{table="Roles",index="ByFilm"} 6)"));
  EXPECT_TRUE(has_line(page, R"(magneto_index_seconds_behind{table="Roles",index="ByFilm"} 2)"));
  EXPECT_TRUE(has_line(page, R"(magneto_stream_reader_lag_seconds{table="Roles"} 4)"));
}

TEST(MetricsPageTest, OtherTablesAreTogether) {
  api::ServiceStatistics service;
  service.store.other_tables =
      storage::TableStatistics{.name = {},
                               .items = 7,
                               .bytes = 70,
                               .indexes = {{.name = {}, .items = 5, .lag = {}}},
                               .stream_lag = {}};
  http::RequestTotals totals;
  totals.units[0].read = 1.5;
  totals.units[http::TableLabels::kOthers].written = 4;
  const std::string page = page_of(service, totals, {"a"});
  EXPECT_TRUE(has_line(page, R"x(magneto_table_items{table="(others)"} 7)x")) << page;
  EXPECT_TRUE(has_line(page, R"x(magneto_index_items{table="(others)",index="(others)"} 5)x"));
  EXPECT_TRUE(has_line(page, R"(magneto_capacity_units_total{table="a",use="read"} 1.5)"));
  EXPECT_TRUE(has_line(page, R"x(magneto_capacity_units_total{table="(others)",use="write"} 4)x"));
}

TEST(MetricsPageTest, OtherMappingsAreTogether) {
  ServerStatistics server;
  for (std::size_t i = 0; i < kMostMappingsOfAPage + 2; ++i) {
    server.event_sources.push_back({.function = "f" + std::to_string(i),
                                    .source = "Orders",
                                    .delivered = 3,
                                    .age_seconds = static_cast<double>(i)});
  }
  const std::string page = metrics_page(server, {}, {}, {});
  const std::string name = "magneto_function_records_total";
  EXPECT_TRUE(has_line(page, name + R"x({function="f199",source="Orders",result="delivered"} 3)x"))
      << page;
  EXPECT_TRUE(
      has_line(page, name + R"x({function="(others)",source="(others)",result="delivered"} 6)x"));
  EXPECT_TRUE(has_line(
      page,
      R"x(magneto_function_iterator_age_seconds{function="(others)",source="(others)"} 201)x"));
}

TEST(MetricsPageTest, BucketsOfAHistogramAreAddedUp) {
  http::RequestTotals totals;
  http::Durations& durations = totals.calls["GetItem"].by_result[0];
  durations.buckets = {1, 2};
  durations.buckets.back() = 4;
  durations.seconds = 0.25;
  const std::string page = page_of({}, totals);
  const std::string name = "magneto_request_duration_seconds";
  const std::string labels = R"({operation="GetItem",result="ok")";
  EXPECT_TRUE(has_line(page, name + "_count" + labels + "} 7")) << page;
  EXPECT_TRUE(has_line(page, name + "_sum" + labels + "} 0.25"));
  EXPECT_TRUE(has_line(page, name + "_bucket" + labels + R"(,le="1.6e-05"} 1)"));
  EXPECT_TRUE(has_line(page, name + "_bucket" + labels + R"(,le="3.2e-05"} 3)"));
  EXPECT_TRUE(has_line(page, name + "_bucket" + labels + R"(,le="+Inf"} 7)"));
}

// The worst case that clients can cause: as many and as long names as a page can have.
TEST(MetricsPageTest, IsBounded) {
  api::ServiceStatistics service;
  http::RequestTotals totals;
  std::vector<std::string> tables;
  for (std::size_t i = 0; i < kMostTablesOfAPage; ++i) {
    std::string name = std::to_string(1'000 + i);
    name.resize(255, 'x');
    tables.push_back(name);
    totals.units[i] = {.read = 1, .written = 1};
    storage::TableStatistics& table = service.store.tables.emplace_back();
    table.name = name;
    table.stream_lag = std::chrono::seconds(1);
    for (std::size_t j = 0; j < 25; ++j) {
      std::string index = std::to_string(100 + j);
      index.resize(255, 'y');
      table.indexes.push_back({.name = index, .lag = storage::IndexLag{}});
    }
  }
  EXPECT_LT(page_of(service, totals, tables).size(), std::size_t{4} << 20);
}

}  // namespace
}  // namespace magneto::server::admin
