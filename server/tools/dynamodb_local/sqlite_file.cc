#include "server/tools/dynamodb_local/sqlite_file.h"

#include <sqlite3.h>

#include <utility>

#include "server/tools/dynamodb_local/messages.h"

namespace magneto::server::tools {
namespace {

// The limit of SQLite's instructions without a row, in thousands: some seconds. A row needs a
// dozen.
constexpr std::uint64_t kMaxStepsPerRow = 100'000;

// Returns "file:" and the path as a URI. Only a URI can say that no process changes the file
// (sqlite.org/uri.html).
std::string unchanging_uri(const std::string& path) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string uri = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_';
    if (plain) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri + "?mode=ro&immutable=1";
}

std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

}  // namespace

SqliteFile::SqliteFile(const std::string& path, Access access) {
  const bool unchanged = access == Access::kUnchanged;
  sqlite3_hard_heap_limit64(kMaxMemory);
  const std::string name = unchanged ? unchanging_uri(path) : path;
  const int flags = SQLITE_OPEN_NOMUTEX |
                    (unchanged ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE);
  if (sqlite3_open_v2(name.c_str(), &database_, flags, nullptr) != SQLITE_OK) {
    const std::string why =
        database_ == nullptr ? messages::kNoSqliteMemory : sqlite3_errmsg(database_);
    sqlite3_close(database_);
    throw SqliteError(why);
  }
  sqlite3_limit(database_, SQLITE_LIMIT_LENGTH, kMaxLength);
  // Run no code from the schema: no triggers, no functions in views or defaults.
  sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_exec(database_, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
  sqlite3_progress_handler(database_, 1'000, &SqliteFile::count_steps, this);
}

SqliteFile::~SqliteFile() { sqlite3_close(database_); }

int SqliteFile::count_steps(void* file) {
  return ++static_cast<SqliteFile*>(file)->steps_ > kMaxStepsPerRow ? 1 : 0;
}

void SqliteFile::fail() const { throw SqliteError(sqlite3_errmsg(database_)); }

SqliteRows SqliteFile::select(const std::string& what, std::string_view table) {
  steps_ = 0;
  const std::string text =
      "SELECT rowid, " + what + " FROM main." + quoted(table) + " NOT INDEXED ORDER BY rowid";
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_, text.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    fail();
  }
  return {*this, statement};
}

bool SqliteFile::has_table(std::string_view name) {
  SqliteRows rows = select("type, name, rootpage", "sqlite_schema");
  while (rows.next()) {
    if (rows.bytes(1) == "table" && rows.bytes(2) == name) return rows.integer(3) > 0;
  }
  return false;
}

SqliteRows SqliteFile::rows_of(std::string_view table) { return select("*", table); }

SqliteRows SqliteFile::column_of(std::string_view table, std::string_view column) {
  return select(quoted(table) + '.' + quoted(column), table);
}

void SqliteRows::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

// Damaged pages can yield the same rows again and again; then the row ids do not ascend.
bool SqliteRows::next() {
  file_.steps_ = 0;
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_DONE) return false;
  if (status == SQLITE_INTERRUPT) throw SqliteError(messages::kPagesLeadNowhere);
  if (status != SQLITE_ROW) file_.fail();
  const std::int64_t row = integer(0);
  if (std::exchange(started_, true) && row <= last_row_) {
    throw SqliteError(messages::kRowsOutOfOrder);
  }
  last_row_ = row;
  return true;
}

int SqliteRows::column(std::string_view name) const {
  for (int i = 1; i < sqlite3_column_count(statement_.get()); ++i) {
    const char* const found = sqlite3_column_name(statement_.get(), i);
    if (found != nullptr && found == name) return i;
  }
  return -1;
}

bool SqliteRows::is_bytes(int column) const {
  if (column < 0) return false;
  const int type = sqlite3_column_type(statement_.get(), column);
  return type == SQLITE_TEXT || type == SQLITE_BLOB;
}

std::string_view SqliteRows::bytes(int column) const {
  if (!is_bytes(column)) return {};
  // Ask for text first: SQLite converts it to UTF-8.
  const void* const start = sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT
                                ? sqlite3_column_text(statement_.get(), column)
                                : sqlite3_column_blob(statement_.get(), column);
  if (start == nullptr) return {};
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return {static_cast<const char*>(start), static_cast<std::size_t>(size)};
}

std::int64_t SqliteRows::integer(int column) const {
  if (column < 0 || sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return 0;
  return sqlite3_column_int64(statement_.get(), column);
}

}  // namespace magneto::server::tools
