#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/bulk/operations.h"
#include "server/tools/dynamodb_local/dynamodb_local_file.h"
#include "server/tools/dynamodb_local/dynamodb_local_import.h"

namespace magneto::server::tools {

// The import of one table from a file into the store, in these steps: check(), create(), fill(),
// finish().
class TableImport {
 public:
  TableImport(DynamodbLocalFile& file, const LocalTable& table, bulk::Operations& operations,
              const ImportReport& report)
      : file_(&file), table_(&table), operations_(&operations), report_(&report) {}

  const std::string& name() const { return table_->name; }

  // Reads the whole table and changes nothing. Throws LocalFileError.
  void check();
  // False if the service refuses the table; the user has then seen a warning.
  bool create();
  void fill();
  void finish();
  // The number of items that are in the store.
  std::int64_t done() const { return done_; }

 private:
  void tell_progress();
  void ask(std::string_view operation, std::string body, std::string_view what);

  DynamodbLocalFile* file_;
  const LocalTable* table_;
  bulk::Operations* operations_;
  const ImportReport* report_;

  std::int64_t count_ = 0;  // number of items in the file
  std::int64_t done_ = 0;
  std::int64_t refused_ = 0;
  std::string first_refusal_;
  std::chrono::steady_clock::time_point last_told_;
};

}  // namespace magneto::server::tools
