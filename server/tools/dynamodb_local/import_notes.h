#pragma once

#include <optional>
#include <string>
#include <vector>

namespace magneto::server::tools {

// What is kept of the import of one file, in the data directory: a file `<name>.importing` with the
// tables it is going to make, a line each, which becomes `<name>.imported` when all is in. Both
// reach the disk before the next step is taken. Failures throw LocalFileError.
class ImportNotes {
 public:
  // The folder that holds the notes of all files.
  static std::string folder_in(const std::string& data_directory);

  ImportNotes(const std::string& data_directory, const std::string& file_name);

  bool is_finished() const;
  // The tables of an import that was begun and not finished.
  std::vector<std::string> begun_tables() const;
  void begin(const std::vector<std::string>& tables) const;
  // Waits until all that was written to the data directory's disk is on it.
  void finish() const;

 private:
  const std::string folder_;
  const std::string importing_;
  const std::string imported_;
};

}  // namespace magneto::server::tools
