#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

// SQLite's library, for reading files of others. Nothing in such a file is trusted: damaged or
// hostile bytes end in SqliteError, after a bounded time and within bounded memory.
namespace magneto::server::tools {

// What SQLite says is wrong: "database disk image is malformed".
class SqliteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SqliteRows;

// One open database, for one thread.
class SqliteFile {
 public:
  enum class Access : std::uint8_t {
    kUnchanged,  // nothing is written, no lock taken: nobody may write to the file meanwhile
    kRecover,    // a journal or WAL beside the file is played back into it
  };

  // The longest value or statement, in bytes. An item has at most 400 KB, its JSON about ten times
  // as many.
  static constexpr int kMaxLength = 32 << 20;
  // What SQLite may take in this process, in bytes.
  static constexpr std::int64_t kMaxMemory = 256 << 20;

  SqliteFile(const std::string& path, Access access);
  ~SqliteFile();
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  // True when the schema has an ordinary table (no view, no virtual table) of exactly that name.
  bool has_table(std::string_view name);
  // The rows of such a table in the order of their row ids; column 0 is the row id, and those of
  // the table follow.
  SqliteRows rows_of(std::string_view table);
  // Row id and one column.
  SqliteRows column_of(std::string_view table, std::string_view column);

 private:
  friend class SqliteRows;

  SqliteRows select(const std::string& what, std::string_view table);
  [[noreturn]] void fail() const;
  static int count_steps(void* file);

  sqlite3* database_ = nullptr;
  std::uint64_t steps_ = 0;  // since the last row, in thousands
};

// A walk over rows, on the first one after next() gave true. Accessors are total: of a column that
// is not there, or of another kind, they give "" or 0. Must not outlive the file.
class SqliteRows {
 public:
  bool next();

  // The column of that name; -1 when there is none.
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
