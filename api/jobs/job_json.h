#pragma once

#include "api/jobs/bulk_jobs.h"
#include "api/json/json_writer.h"

// Writes jobs as answers contain them (AWS API reference, ExportDescription,
// ImportTableDescription, BulkOperationDescription and their summaries).
namespace magneto::api {

void write_export_description(json::Writer& writer, const BulkJob& job);
void write_export_summary(json::Writer& writer, const BulkJob& job);
void write_import_description(json::Writer& writer, const BulkJob& job);
void write_import_summary(json::Writer& writer, const BulkJob& job);
void write_bulk_operation_description(json::Writer& writer, const BulkJob& job);
void write_bulk_operation_summary(json::Writer& writer, const BulkJob& job);

// For example "IN_PROGRESS".
std::string_view status_name(JobStatus status);

}  // namespace magneto::api
