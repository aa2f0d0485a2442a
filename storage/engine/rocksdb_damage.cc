#include "storage/engine/rocksdb_damage.h"

#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>

#include <filesystem>
#include <system_error>

namespace magneto::storage {
namespace {

namespace fs = std::filesystem;

// A table that is not there is looked for once more under LevelDB's suffix, and that name goes into
// the message. Empty when it names none.
std::string find_missing_table(const std::string& directory, const std::string& cause) {
  const std::size_t end = cause.find(".ldb");
  const std::size_t start = cause.rfind(directory + "/", end);
  if (end == std::string::npos || start == std::string::npos) return "";
  const std::string path = cause.substr(start, end - start) + ".sst";
  std::error_code ignored;
  return fs::exists(path, ignored) ? "" : path;
}

}  // namespace

std::string find_damaged_table(const std::string& directory, const std::string& cause) {
  if (!cause.starts_with("Corruption: ") || cause.find("/MANIFEST-") == std::string::npos)
    return "";
  const std::string missing = find_missing_table(directory, cause);
  if (!missing.empty()) return missing + " is missing";
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".sst") continue;
    rocksdb::SstFileReader reader{rocksdb::Options()};
    const rocksdb::Status status = reader.Open(entry.path().string());
    if (!status.ok()) return entry.path().string() + " cannot be read: " + status.ToString();
  }
  return "";
}

}  // namespace magneto::storage
