#include "server/tools/dynamodb_local/import_notes.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <system_error>

#include "server/system/synced_file.h"
#include "server/tools/dynamodb_local/dynamodb_local_file.h"
#include "server/tools/dynamodb_local/messages.h"

namespace magneto::server::tools {
namespace {

[[noreturn]] void fail(const std::string& path, const std::error_code& error) {
  throw LocalFileError(messages::kNotesNotWritten(path, error.message()));
}

void change(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::filesystem::filesystem_error& error) {
    fail(error.path1().string(), error.code());
  }
}

}  // namespace

std::string ImportNotes::folder_in(const std::string& data_directory) {
  return data_directory + "/dynamodb-local";
}

ImportNotes::ImportNotes(const std::string& data_directory, const std::string& file_name)
    : folder_(folder_in(data_directory)),
      importing_(folder_ + "/" + file_name + ".importing"),
      imported_(folder_ + "/" + file_name + ".imported") {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) fail(folder_, error);
}

bool ImportNotes::is_finished() const { return std::filesystem::exists(imported_); }

std::vector<std::string> ImportNotes::begun_tables() const {
  std::vector<std::string> tables;
  std::ifstream file(importing_);
  for (std::string line; std::getline(file, line);) tables.push_back(line);
  return tables;
}

void ImportNotes::begin(const std::vector<std::string>& tables) const {
  std::string text;
  for (const std::string& table : tables) text += table + '\n';
  change([&] { system::write_synced(importing_, text); });
}

void ImportNotes::finish() const {
  change([&] {
    system::sync_disk(folder_);
    system::rename_synced(importing_, imported_);
  });
}

}  // namespace magneto::server::tools
