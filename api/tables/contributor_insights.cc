#include "api/tables/contributor_insights.h"

#include "api/error.h"
#include "api/messages/resource_messages.h"
#include "api/validation/constraint.h"
#include "api/validation/parameter_shapes.h"

namespace magneto::api {

void check_insights_index(const Parameters& parameters) {
  const auto name = parameters.string("IndexName");
  if (!name) return;
  const std::int64_t length = utf16_length(*name);
  if (length < kResourceNameShape.min || length > kResourceNameShape.max) {
    fail_validation(messages::kInsightsIndexLength);
  }
}

const storage::IndexSchema* find_insights_index(const storage::TableSchema& schema,
                                                std::string_view name) {
  if (name.empty()) return nullptr;
  const storage::IndexSchema* const index = schema.find_index(name);
  if (index == nullptr || !index->has_own_throughput()) {
    throw ApiError(ErrorType::kResourceNotFound,
                   messages::index_not_found_for_table(name, schema.name));
  }
  return index;
}

std::string_view insights_status(const storage::Database& database,
                                 const storage::ContributorInsights* enabled) {
  if (enabled == nullptr) return "DISABLED";
  return database.is_within_delay(enabled->updated) ? "ENABLING" : "ENABLED";
}

void append_insights_names(json::Writer& writer, std::string_view table, std::string_view index) {
  writer.text("TableName", table);
  if (!index.empty()) writer.text("IndexName", index);
}

void append_insights_state(json::Writer& writer, std::string_view status,
                           bool throttled_keys_only) {
  writer.text("ContributorInsightsStatus", status);
  writer.text("ContributorInsightsMode",
              throttled_keys_only ? "THROTTLED_KEYS" : "ACCESSED_AND_THROTTLED_KEYS");
}

}  // namespace magneto::api
