#include "api/insights/insights_report.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/insights/key_usage.h"
#include "api/json/attribute_value_json.h"

namespace magneto::api {
namespace {

using storage::ContributorInsights;
using storage::Index;
using storage::KeySchema;
using storage::Table;

constexpr std::size_t kTablesAtOnce = 1'000;

class InsightsReport {
 public:
  InsightsReport(const Insights& insights, const InsightsQuery& query, json::Writer& writer)
      : insights_(insights), query_(query), writer_(writer) {}

  void add_tables_of(const storage::Database& database) {
    if (!query_.table.empty()) {
      add_table(database, query_.table);
      return;
    }
    std::string after;
    for (;;) {
      const std::vector<std::string> names = database.list_tables(after, kTablesAtOnce);
      for (const std::string& name : names) add_table(database, name);
      if (names.size() < kTablesAtOnce) return;
      after = names.back();
    }
  }

  bool is_complete() const { return is_complete_; }

 private:
  void add_table(const storage::Database& database, std::string_view name) {
    const storage::TablePtr table = database.find_table(name);
    if (table == nullptr) return;
    for (const ContributorInsights& enabled : table->schema.contributor_insights) {
      const Index* index = nullptr;
      if (!enabled.index.empty()) {
        index = table->find_index(enabled.index);
        if (index == nullptr) continue;
      }
      if (count_++ == kMostReported) {
        is_complete_ = false;
        return;
      }
      add(database, *table, index, enabled);
    }
  }

  void add(const storage::Database& database, const Table& table, const Index* index,
           const ContributorInsights& enabled) {
    const CountedKeys place{index == nullptr ? table.statistics : index->statistics,
                            enabled.updated};
    const KeySchema& key = index == nullptr ? table.schema.key : index->schema.key;
    writer_.begin_object();
    if (!database.name().empty()) {
      writer_.escaped_key("database");
      writer_.string(database.name());
    }
    writer_.text("table", table.schema.name);
    if (index != nullptr) writer_.text("index", index->schema.name);
    if (!enabled.throttled_keys_only) {
      add_lists("accessed", place, key, KeyRule::kAccessedPartition, KeyRule::kAccessedKey);
    }
    add_lists("throttled", place, key, KeyRule::kThrottledPartition, KeyRule::kThrottledKey);
    writer_.end_object();
  }

  void add_lists(std::string_view name, const CountedKeys& place, const KeySchema& key,
                 KeyRule partition, KeyRule whole) {
    writer_.key(name);
    writer_.begin_object();
    add_list("partition_keys", place, key, partition);
    if (!key.sort.empty()) add_list("keys", place, key, whole);
    writer_.end_object();
  }

  void add_list(std::string_view name, const CountedKeys& place, const KeySchema& key,
                KeyRule rule) {
    writer_.key(name);
    writer_.begin_array();
    for (const Insights::Top& top : insights_.top(place, rule, query_.keys)) {
      writer_.begin_object();
      writer_.key("key");
      add_key(key, top.key);
      writer_.integer("count", static_cast<std::int64_t>(top.count));
      writer_.integer("error", static_cast<std::int64_t>(top.error));
      writer_.end_object();
    }
    writer_.end_array();
  }

  void add_key(const KeySchema& key, std::string_view counted) {
    const std::vector<storage::AttributeView> values = KeyUsage::attributes_of(counted);
    std::size_t i = 0;
    writer_.begin_object();
    for (const auto element : key.attributes()) {
      if (i == values.size()) break;  // only a partition key
      writer_.escaped_key(element.attribute.name);
      json::append_value(writer_.raw(), values[i++]);
    }
    writer_.end_object();
  }

  const Insights& insights_;
  const InsightsQuery& query_;
  json::Writer& writer_;
  std::size_t count_ = 0;
  bool is_complete_ = true;
};

}  // namespace

void write_insights(storage::Databases& databases, const Insights& insights,
                    const InsightsQuery& query, json::Writer& writer) {
  writer.begin_object();
  writer.key("insights");
  writer.begin_array();
  InsightsReport report(insights, query, writer);
  for (const storage::Database* database : databases.all()) {
    if (report.is_complete()) report.add_tables_of(*database);
  }
  writer.end_array();
  writer.key("complete");
  writer.boolean(report.is_complete());
  writer.integer("uncounted", static_cast<std::int64_t>(insights.uncounted()));
  writer.end_object();
}

}  // namespace magneto::api
