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

// What DynamoDB Local keeps with -dbPath: one SQLite file, as seen of version 3.1.0. Table `dm` has
// a row for each table (billing, units, and TableInfo, a JSON text with keys, indexes and time to
// live), `sm` one for each stream; the items of a table lie in a table of its name, whole, as the
// JSON of the protocol, in the column ObjectJSON.
namespace magneto::server::tools {

// A sentence for the user.
class LocalFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The file is sound, or no SQLite file, but in any case not DynamoDB Local's.
class ForeignFile : public LocalFileError {
 public:
  using LocalFileError::LocalFileError;
};

struct LocalTable {
  std::string name;
  bool on_demand = false;
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
  std::int64_t max_read_units = 0;  // of an on-demand table; 0 and less: no limit
  std::int64_t max_write_units = 0;
  bool deletion_protection = false;
  std::string info;         // TableInfo, not looked at yet
  std::string stream_view;  // empty: no stream
};

// One such file, read without being changed. Everything throws LocalFileError.
class DynamodbLocalFile {
 public:
  // A file with a WAL or a journal beside it is copied into `scratch` with them, and read there.
  DynamodbLocalFile(const std::string& path, const std::string& scratch);
  ~DynamodbLocalFile();
  DynamodbLocalFile(const DynamodbLocalFile&) = delete;
  DynamodbLocalFile& operator=(const DynamodbLocalFile&) = delete;

  const std::vector<LocalTable>& tables() const { return tables_; }

  // Gives the JSON of every item of a table to `visit`; what that throws goes through. The text is
  // valid for the call, and as it lies in the file.
  void visit_items(const LocalTable& table, absl::FunctionRef<void(std::string_view item)> visit);

  // Throws: the file is damaged, and `what` tells in which place.
  [[noreturn]] void fail(std::string_view what) const;
  // Throws when somebody wrote to the file since it was opened.
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
  std::string copy_;  // empty: the file itself is read
  Stamp opened_{};
  std::optional<SqliteFile> file_;
  std::vector<LocalTable> tables_;
};

}  // namespace magneto::server::tools
