#pragma once

#include "api/jobs/bulk_jobs.h"
#include "storage/database.h"

namespace magneto::server::bulk {

// The table of a job; nullptr if it is gone. A later table with the same name is a different table.
storage::TablePtr find_job_table(const storage::Database& database, const api::BulkJob& job);

// Deletes the table that an import created, if the import has no items for it. The table stays if a
// client has put an item into it, or has changed it so that it must not be deleted.
void take_back_table(storage::Database& database, const api::BulkJob& job);

}  // namespace magneto::server::bulk
