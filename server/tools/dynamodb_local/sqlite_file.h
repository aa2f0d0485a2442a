#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

// Reads foreign files with SQLite's library. Such files are not trusted: damaged or hostile bytes
// end in SqliteError, within bounded time and memory.
namespace magneto::server::tools {

// SQLite's error message, such as "database disk image is malformed".
class SqliteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SqliteRows;

// One open database, for one thread.
class SqliteFile {
 public:
  enum class Access : std::uint8_t {
    kUnchanged,  // writes nothing, takes no lock: the file must not change meanwhile
    kRecover,    // plays a journal or WAL back into the file
  };

  // The longest value or statement, in bytes. An item has at most 400 KB, and its JSON about ten
  // times that.
  static constexpr int kMaxLength = 32 << 20;
  // The most memory that SQLite may use in this process, in bytes.
  static constexpr std::int64_t kMaxMemory = 256 << 20;

  SqliteFile(const std::string& path, Access access);
  ~SqliteFile();
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  // True if the schema has an ordinary table (not a view or a virtual table) with exactly that
  // name.
  bool has_table(std::string_view name);
  // The rows of an ordinary table, ordered by row id. Column 0 is the row id; the table's columns
  // follow.
  SqliteRows rows_of(std::string_view table);
  // The row id and one column of each row.
  SqliteRows column_of(std::string_view table, std::string_view column);

 private:
  friend class SqliteRows;

  SqliteRows select(const std::string& what, std::string_view table);
  [[noreturn]] void fail() const;
  static int count_steps(void* file);

  sqlite3* database_ = nullptr;
  std::uint64_t steps_ = 0;  // since the last row, in thousands
};

// Iterates over rows. It is on the first row after next() has returned true. For a column that does
// not exist or has another type, the accessors return "" or 0. It must not outlive the file.
class SqliteRows {
 public:
  bool next();

  // The number of the column with this name; -1 if there is none.
  int column(std::string_view name) const;
  // Text or blob, as bytes; valid until next().
  std::string_view bytes(int column) const;
  std::int64_t integer(int column) const;
  bool is_bytes(int column) const;

 private:
  friend class SqliteFile;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };

  SqliteRows(SqliteFile& file, sqlite3_stmt* statement) : file_(file), statement_(statement) {}

  SqliteFile& file_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  bool started_ = false;
  std::int64_t last_row_ = 0;
};

}  // namespace magneto::server::tools
