#include "server/transfer/import_notes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "server/descriptor.h"
#include "server/transfer/dynamodb_local_file.h"
#include "server/transfer/messages.h"

namespace magneto::server {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw LocalFileError(messages::notes_not_written(path, std::strerror(error)));
}

// A file or folder that is to reach the disk.
class Synced {
 public:
  Synced(std::string path, int flags)
      : path_(std::move(path)),
        descriptor_(::open(path_.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {
    if (descriptor_.get() < 0) fail(path_, errno);
  }

  void write(const std::string& text) const {
    const ssize_t written = ::write(descriptor_.get(), text.data(), text.size());
    if (written != static_cast<ssize_t>(text.size())) fail(path_, written < 0 ? errno : ENOSPC);
  }
  void sync() const {
    if (::fsync(descriptor_.get()) != 0) fail(path_, errno);
  }
  void sync_disk() const {
    if (::syncfs(descriptor_.get()) != 0) fail(path_, errno);
  }

 private:
  const std::string path_;
  const Descriptor descriptor_;
};

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
  if (error) fail(folder_, error.value());
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
  const std::string draft = importing_ + ".new";
  {
    const Synced file(draft, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(text);
    file.sync();
  }
  if (std::rename(draft.c_str(), importing_.c_str()) != 0) fail(importing_, errno);
  Synced(folder_, O_RDONLY | O_DIRECTORY).sync();
}

void ImportNotes::finish() const {
  const Synced folder(folder_, O_RDONLY | O_DIRECTORY);
  folder.sync_disk();
  if (std::rename(importing_.c_str(), imported_.c_str()) != 0) fail(imported_, errno);
  folder.sync();
}

}  // namespace magneto::server
