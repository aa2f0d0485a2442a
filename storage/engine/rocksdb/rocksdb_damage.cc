#include "storage/engine/rocksdb/rocksdb_damage.h"

#include <rocksdb/db.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/status.h>

#include <cstddef>
#include <filesystem>
#include <system_error>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/messages/directory_messages.h"

namespace magneto::storage {
namespace {

namespace fs = std::filesystem;

// RocksDB looks for a missing table again under LevelDB's suffix, and puts that name into the
// message. Empty if the message names no table.
std::string find_missing_table(const std::string& directory, const std::string& cause) {
  const std::size_t end = cause.find(".ldb");
  const std::size_t start = cause.rfind(directory + "/", end);
  if (end == std::string::npos || start == std::string::npos) return "";
  const std::string path = cause.substr(start, end - start) + ".sst";
  std::error_code ignored;
  return fs::exists(path, ignored) ? "" : path;
}

// Empty if the table can be opened.
std::string find_fault(const std::string& table) {
  rocksdb::SstFileReader reader{rocksdb::Options()};
  const rocksdb::Status status = reader.Open(table);
  return status.ok() ? "" : messages::unreadable_table(table, describe(status));
}

// The table that causes the error, with its path and the reason; empty if there is none. RocksDB
// blames the manifest, which names the table. Tables that no manifest names, left unfinished by a
// killed process, do not matter.
std::string find_damaged_table(const std::string& directory, const std::string& cause) {
  if (!cause.starts_with("Corruption: ") || cause.find("/MANIFEST-") == std::string::npos)
    return "";
  const std::string missing = find_missing_table(directory, cause);
  if (!missing.empty()) return messages::missing_table(missing);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".sst") continue;
    std::string fault = find_fault(entry.path().string());
    if (!fault.empty()) return fault;
  }
  return "";
}

}  // namespace

// RocksDB writes some errors with a line for each file and a newline at the end.
std::string describe(const rocksdb::Status& status) {
  std::string text = status.ToString();
  while (text.ends_with('\n')) text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
    text.replace(at, 1, "; ");
  }
  return text;
}

std::string explain(rocksdb::DB& database, const rocksdb::Status& status) {
  std::string text = describe(status);
  if (!status.IsCorruption() || text.find(database.GetName() + "/") != std::string::npos)
    return text;
  std::vector<rocksdb::LiveFileMetaData> tables;
  database.GetLiveFilesMetaData(&tables);
  for (const rocksdb::LiveFileMetaData& table : tables) {
    std::string fault = find_fault(table.directory + "/" + table.relative_filename);
    if (!fault.empty()) return fault;
  }
  return text;
}

void check(const rocksdb::Status& status, rocksdb::DB& database, const char* operation,
           const std::string& directory) {
  if (status.ok()) return;
  throw EngineError(messages::engine_failure(operation, directory, explain(database, status)));
}

std::string describe_failed_opening(const std::string& directory, const std::string& engine_path,
                                    const std::string& cause, const std::string& last_warning) {
  const std::string table = find_damaged_table(engine_path, cause);
  if (!table.empty()) return messages::engine_failure("open", directory, table);
  const bool names_file = cause.find(directory) != std::string::npos;
  if (names_file || last_warning.empty()) return messages::engine_failure("open", directory, cause);
  return messages::engine_not_opened(directory, cause, last_warning);
}

}  // namespace magneto::storage
