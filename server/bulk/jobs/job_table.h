#pragma once

#include "api/jobs/bulk_jobs.h"
#include "storage/database.h"

namespace magneto::server::bulk {

// The table of a job. nullptr: it is gone; one that was made later under its name is another one.
storage::TablePtr find_job_table(const storage::Database& database, const api::BulkJob& job);

// Deletes the table that an import made, where it has nothing to put there. The table stays where somebody
// has put an item there, or has changed it meanwhile so that it is not to be deleted.
void take_back_table(storage::Database& database, const api::BulkJob& job);

}  // namespace magneto::server::bulk
