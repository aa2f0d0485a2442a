#pragma once

#include <optional>
#include <string_view>

#include "api/json/json_reader.h"
#include "api/operation.h"
#include "api/validation/shape.h"
#include "storage/table/table.h"

// The time or period of an export (AWS API reference, ExportTableToPointInTime and
// IncrementalExportSpecification; DynamoDB Developer Guide, "Requesting a table export": a period
// is 15 minutes to 24 hours long).
namespace magneto::api {

inline constexpr std::string_view kFullExport = "FULL_EXPORT";
inline constexpr std::string_view kIncrementalExport = "INCREMENTAL_EXPORT";
// The values of ExportViewType.
inline constexpr std::string_view kNewImage = "NEW_IMAGE";
inline constexpr std::string_view kNewAndOldImages = "NEW_AND_OLD_IMAGES";
extern const Shape kIncrementalExportShape;

// The tolerance in seconds for a client's "now": clocks differ, SDKs send whole seconds, and
// requests take time to arrive.
inline constexpr double kPresentSeconds = 5;

// Checks that the members of a request, its structure, suit its ExportType. Throws
// ValidationException.
void check_export_type(json::Value request);

// The times that an export reads.
struct ExportTimes {
  // The time of the exported state. nullopt: the time of the request; a full export then contains
  // all writes answered by that time.
  std::optional<double> to{};
  std::optional<double> from{};  // for an incremental export
  // The reported time of the state: no write before it is missing. nullopt: the time of the
  // request.
  std::optional<double> told{};
};

// Reads the times of a checked request. Throws InvalidExportTimeException for an invalid period and
// for times outside the table's recovery window. Throws PointInTimeRecoveryUnavailableException. A
// client's time close to now, but outside the window, counts as now.
ExportTimes read_export_times(json::Value request, const storage::Database& database,
                              const storage::Table& table);

[[noreturn]] void fail_export_time();
[[noreturn]] void fail_no_recovery(std::string_view table);

}  // namespace magneto::api
