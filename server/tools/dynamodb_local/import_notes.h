#pragma once

#include <optional>
#include <string>
#include <vector>

namespace magneto::server::tools {

// The notes about the import of one file, in the data directory. `<name>.importing` lists the
// tables that the import is going to create, one per line. It becomes `<name>.imported` when
// everything is imported. Both are on the disk before the next step. Throws LocalFileError on
// failure.
class ImportNotes {
 public:
  // The folder that holds the notes of all files.
  static std::string folder_in(const std::string& data_directory);

  ImportNotes(const std::string& data_directory, const std::string& file_name);

  bool is_finished() const;
  // The tables of an import that began and did not finish.
  std::vector<std::string> begun_tables() const;
  void begin(const std::vector<std::string>& tables) const;
  // Waits until all data written to the data directory's disk has reached it.
  void finish() const;

 private:
  const std::string folder_;
  const std::string importing_;
  const std::string imported_;
};

}  // namespace magneto::server::tools
