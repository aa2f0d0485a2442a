#pragma once

#include <optional>
#include <string_view>

#include "api/json/json_reader.h"
#include "api/operation.h"
#include "api/validation/shape.h"
#include "storage/table/table.h"

// Which moment, or which period, an export is of (AWS API reference, ExportTableToPointInTime and
// IncrementalExportSpecification; DynamoDB Developer Guide, "Requesting a table export": a period is
// 15 minutes to 24 hours long).
namespace magneto::api {

inline constexpr std::string_view kFullExport = "FULL_EXPORT";
inline constexpr std::string_view kIncrementalExport = "INCREMENTAL_EXPORT";
// ExportViewType
inline constexpr std::string_view kNewImage = "NEW_IMAGE";
inline constexpr std::string_view kNewAndOldImages = "NEW_AND_OLD_IMAGES";
extern const Shape kIncrementalExportShape;

// By which a client's time may be another than the server's, and old when the request comes: the
// SDKs send whole seconds.
inline constexpr double kPresentSeconds = 5;

// Whether the members of a request, its structure, go with its ExportType. Throws ValidationException.
void check_export_type(json::Value request);

// What an export reads.
struct ExportTimes {
  // Of the state that is exported; nullopt: of the request, and of a full export with all that was
  // answered by then.
  std::optional<double> to{};
  std::optional<double> from{};  // of an incremental one
  // What is told of the state: a time before which nothing is missing in it. nullopt: of the request.
  std::optional<double> told{};
};

// Of a request that was checked. Throws InvalidExportTimeException for a period that is none and for what
// lies outside the table's window, and PointInTimeRecoveryUnavailableException. A time of now, as far as
// clients know it, is now where the window does not have it.
ExportTimes read_export_times(json::Value request, const storage::Database& database,
                              const storage::Table& table);

[[noreturn]] void fail_export_time();
[[noreturn]] void fail_no_recovery(std::string_view table);

}  // namespace magneto::api
