#pragma once

#include <string>
#include <vector>

#include "storage/notes.h"

namespace magneto::server::tools {

// The stored progress of the import of one file. The note `dynamodb-local/<file>.importing` lists the
// tables that the import is going to create (server/formats/table_list.h). The note `dynamodb-local/<file>.imported`
// exists when everything is imported. Each change is on the disk when its function returns. Throws
// LocalFileError on failure.
class ImportProgress {
 public:
  // `notes` must outlive this object.
  ImportProgress(storage::Notes& notes, const std::string& file_name);

  bool is_finished() const;
  // The tables of an import that began and did not finish. Throws LocalFileError for a damaged note.
  std::vector<std::string> begun_tables() const;
  void begin(const std::vector<std::string>& tables) const;
  // Waits until all data written to the store has reached the disk.
  void finish() const;

 private:
  storage::Notes& notes_;
  const std::string importing_;
  const std::string imported_;
};

}  // namespace magneto::server::tools
