#include "api/error.h"
#include "api/messages/backup_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/continuous_backups_json.h"
#include "api/validation/parameter_shapes.h"
#include "storage/model/narrow.h"

// AWS API reference, UpdateContinuousBackups.
namespace magneto::api {

extern const Operation kUpdateContinuousBackups;
namespace {

constexpr std::int64_t kMaxRecoveryDays = 35;  // also the default
constexpr Shape kRecoveryDaysShape = with_range(kIntegerShape, 1, kMaxRecoveryDays);
constexpr MemberShape kSpecificationMembers[] = {
    {"PointInTimeRecoveryEnabled", &kBooleanShape, Required::kYes},
    {"RecoveryPeriodInDays", &kRecoveryDaysShape},
};
constexpr Shape kSpecificationShape =
    structure_shape("PointInTimeRecoverySpecification", kSpecificationMembers);
constexpr MemberShape kUpdateContinuousBackupsMembers[] = {
    kControlTableName,
    {"PointInTimeRecoverySpecification", &kSpecificationShape, Required::kYes},
};
constexpr Shape kUpdateContinuousBackupsInput = older_request(kUpdateContinuousBackupsMembers);

// Applies the specification. If recovery is already enabled, its other values stay.
void change(storage::PointInTimeRecovery& recovery, const Parameters& specification) {
  if (!specification.boolean("PointInTimeRecoveryEnabled")) {
    recovery = {};
    return;
  }
  recovery.enabled = true;
  recovery.recovery_days = storage::narrow<std::int32_t>(
      specification.integer("RecoveryPeriodInDays").value_or(kMaxRecoveryDays));
}

// Captured from AWS, October 2026.
void check_days(const Parameters& specification) {
  const bool enables = specification.boolean("PointInTimeRecoveryEnabled");
  if (!enables && specification.has("RecoveryPeriodInDays")) {
    fail_validation(messages::kRecoveryDaysWhenDisabled);
  }
}

void update_continuous_backups(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view name = parameters.string_or_empty("TableName");
  const Parameters specification(parameters.value("PointInTimeRecoverySpecification"));
  check_days(specification);
  const storage::TablePtr table = find_table(request, name);
  const auto changed =
      !table || is_restoring(table->schema)
          ? nullptr
          : update_pinned(request, *table, [&specification](storage::TableSchema& schema) {
              if (schema.status == storage::ResourceStatus::kCreating) {
                throw ApiError(ErrorType::kContinuousBackupsUnavailable,
                               messages::backups_being_enabled(schema.name));
              }
              change(schema.point_in_time_recovery, specification);
            });
  if (!changed) fail_backup_table_not_found(table_name_of(name));
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("ContinuousBackupsDescription");
  write_continuous_backups(writer, changed->schema.point_in_time_recovery,
                           request.database.recovery_window(*changed));
  writer.end_object();
}

}  // namespace

constinit const Operation kUpdateContinuousBackups{.name = "UpdateContinuousBackups",
                                                   .input = kUpdateContinuousBackupsInput,
                                                   .handle = &update_continuous_backups,
                                                   .writes = true,
                                                   .needs_store_alone = true};

}  // namespace magneto::api
