#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/error.h"
#include "api/insights/key_usage.h"
#include "api/json/json_writer.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/contributor_insights.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, ListContributorInsights. Lists insights that are not DISABLED: tables by name,
// and a table before its indexes (as observed on AWS, October 2026).
namespace magneto::api {

extern const Operation kListContributorInsights;
namespace {

constexpr std::int64_t kMostResults = 100;  // per answer
constexpr std::size_t kTablesAtOnce = 1'000;
constexpr std::uint64_t kStepsOfATable = 50;

constexpr Shape kMaxResultsShape = with_max(kIntegerShape, kMostResults);
constexpr MemberShape kListContributorInsightsMembers[] = {
    {"TableName", &kTableNameOrArnShape},
    {"NextToken", &kStringShape},
    {"MaxResults", &kMaxResultsShape},
};
constexpr Shape kListContributorInsightsInput = older_request(kListContributorInsightsMembers);

// A token names the last entry of the previous page: the table, a slash, and the index or nothing.
struct Entry {
  std::string_view table;
  std::string_view index;
};

std::optional<Entry> read_token(const Parameters& parameters) {
  const auto token = parameters.string("NextToken");
  if (!token) return std::nullopt;
  const std::size_t slash = token->find('/');
  if (slash == std::string_view::npos || slash == 0 || !is_resource_name(token->substr(0, slash))) {
    fail_validation(messages::foreign_next_token(kListContributorInsights.name));
  }
  return Entry{token->substr(0, slash), token->substr(slash + 1)};
}

class Page {
 public:
  Page(Request& request, std::size_t limit, std::optional<Entry> behind)
      : request_(request), limit_(limit), behind_(behind), writer_(request.output) {}

  void begin() {
    writer_.begin_object();
    writer_.key("ContributorInsightsSummaries");
    writer_.begin_array();
  }

  // False if the page is full.
  bool add(const storage::Table& table) {
    request_.effort.spend(kStepsOfATable);
    const storage::TableSchema& schema = table.schema;
    if (schema.contributor_insights.empty()) return true;
    const bool began_before = behind_ && behind_->table == schema.name;
    bool passed = !began_before;
    const auto offer = [&](const storage::IndexSchema* index) {
      const std::string_view name = index == nullptr ? std::string_view() : index->name;
      if (passed) return add(schema, index, name);
      passed = name == behind_->index;
      return true;
    };
    if (!offer(nullptr)) return false;
    // The index in the token no longer exists.
    if (!passed && schema.find_index(behind_->index) == nullptr) passed = true;
    for (const storage::IndexSchema& index : schema.indexes) {
      if (index.has_own_throughput() && !offer(&index)) return false;
    }
    return true;
  }

  void end() {
    writer_.end_array();
    if (is_full_) writer_.text("NextToken", last_);
    writer_.end_object();
  }

 private:
  // A page is full only once there is an entry after it.
  bool add(const storage::TableSchema& schema, const storage::IndexSchema* index,
           std::string_view name) {
    const storage::ContributorInsights* const enabled = KeyUsage::find(schema, index);
    if (enabled == nullptr) return true;
    is_full_ = count_ == limit_;
    if (is_full_) return false;
    ++count_;
    last_.assign(schema.name).append("/").append(name);
    writer_.begin_object();
    append_insights_names(writer_, schema.name, name);
    append_insights_state(writer_, insights_status(request_.database, enabled),
                          enabled->throttled_keys_only);
    writer_.end_object();
    return true;
  }

  Request& request_;
  const std::size_t limit_;
  const std::optional<Entry> behind_;
  json::Writer writer_;
  std::size_t count_ = 0;
  std::string last_;
  bool is_full_ = false;
};

void add_all(const storage::Database& database, std::optional<Entry> behind, Page& page) {
  if (behind) {
    const storage::TablePtr first = database.find_table(behind->table);
    if (first != nullptr && !page.add(*first)) return;
  }
  std::string after(behind ? behind->table : std::string_view());
  for (;;) {
    const std::vector<std::string> names = database.list_tables(after, kTablesAtOnce);
    for (const std::string& name : names) {
      const storage::TablePtr table = database.find_table(name);
      if (table != nullptr && !page.add(*table)) return;
    }
    if (names.size() < kTablesAtOnce) return;
    after = names.back();
  }
}

void list_contributor_insights(Request& request) {
  const Parameters parameters(request.input);
  storage::TablePtr only;
  if (parameters.has("TableName")) {
    only = existing_table(request, parameters.string_or_empty("TableName"));
  }
  const std::optional<Entry> behind = read_token(parameters);
  const std::int64_t given = parameters.integer("MaxResults").value_or(kMostResults);
  Page page(request, static_cast<std::size_t>(given > 0 ? given : kMostResults), behind);
  page.begin();
  if (only != nullptr) {
    page.add(*only);
  } else {
    add_all(request.database, behind, page);
  }
  page.end();
}

}  // namespace

constinit const Operation kListContributorInsights{.name = "ListContributorInsights",
                                                   .input = kListContributorInsightsInput,
                                                   .handle = &list_contributor_insights,
                                                   .lists = true};

}  // namespace magneto::api
