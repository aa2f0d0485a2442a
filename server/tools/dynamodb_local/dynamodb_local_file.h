#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "server/tools/dynamodb_local/sqlite_file.h"

// The files of DynamoDB Local with -dbPath, as seen in version 3.1.0: one SQLite file each. Its
// table `dm` has a row for each DynamoDB table: billing, units, and TableInfo, a JSON text with
// keys, indexes and time to live. Its table `sm` has a row for each stream. The items of a table
// are in a SQLite table with its name. The column ObjectJSON contains the whole item as the JSON of
// the protocol.
namespace magneto::server::tools {

// Its what() is a sentence for the user.
class LocalFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The file is intact, or not a SQLite file, but it is not from DynamoDB Local.
class ForeignFile : public LocalFileError {
 public:
  using LocalFileError::LocalFileError;
};

struct LocalTable {
  std::string name;
  bool on_demand = false;
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
  std::int64_t max_read_units = 0;  // of an on-demand table; 0 and below: no limit
  std::int64_t max_write_units = 0;
  bool deletion_protection = false;
  std::string info;         // TableInfo, not parsed yet
  std::string stream_view;  // empty: no stream
};

// One file of DynamoDB Local, read without changes. All functions throw LocalFileError.
class DynamodbLocalFile {
 public:
  // If the file has a WAL or a journal, all of them are copied into `scratch` and read there.
  DynamodbLocalFile(const std::string& path, const std::string& scratch);
  ~DynamodbLocalFile();
  DynamodbLocalFile(const DynamodbLocalFile&) = delete;
  DynamodbLocalFile& operator=(const DynamodbLocalFile&) = delete;

  const std::vector<LocalTable>& tables() const { return tables_; }

  // Calls `visit` with the JSON of each item of a table. Exceptions of `visit` pass through. The
  // text is unchanged from the file, and valid during the call.
  void visit_items(const LocalTable& table, absl::FunctionRef<void(std::string_view item)> visit);

  // Throws LocalFileError: the file is damaged. `what` describes the place.
  [[noreturn]] void fail(std::string_view what) const;
  // Throws if the file was written to since it was opened.
  void check_unchanged() const;

 private:
  struct Stamp {
    std::uintmax_t size;
    std::filesystem::file_time_type time;
    bool operator==(const Stamp&) const = default;
  };

  Stamp stamp() const;
  void open(const std::string& scratch);
  void read_tables();
  void read_streams();

  const std::string path_;
  std::string copy_;  // empty: reads the file itself
  Stamp opened_{};
  std::optional<SqliteFile> file_;
  std::vector<LocalTable> tables_;
};

}  // namespace magneto::server::tools
