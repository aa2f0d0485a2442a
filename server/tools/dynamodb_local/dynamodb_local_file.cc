#include "server/tools/dynamodb_local/dynamodb_local_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "server/tools/dynamodb_local/messages.h"

namespace magneto::server::tools {
namespace {

namespace fs = std::filesystem;

// The files that SQLite leaves next to a database if its process is killed.
constexpr std::string_view kLeftOvers[] = {"-wal", "-journal"};

bool has_left_overs(const std::string& path) {
  for (const std::string_view suffix : kLeftOvers) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path + std::string(suffix), error);
    if (!error && size > 0) return true;
  }
  return false;
}

void remove_copy(const std::string& copy) {
  if (copy.empty()) return;
  std::error_code ignored;
  for (const std::string_view suffix : {"", "-shm", "-wal", "-journal"}) {
    fs::remove(copy + std::string(suffix), ignored);
  }
}

bool starts_as_sqlite(const std::string& path) {
  constexpr std::string_view kStart("SQLite format 3\0", 16);
  char start[kStart.size()] = {};
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) {
    throw fs::filesystem_error("open", path, std::error_code(errno, std::generic_category()));
  }
  file.read(start, sizeof(start));
  return file && std::string_view(start, sizeof(start)) == kStart;
}

// DynamoDB Local allows no other names.
bool is_table_name(std::string_view name) {
  constexpr std::string_view kCharacters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  return name.size() >= 3 && name.size() <= 255 &&
         name.find_first_not_of(kCharacters) == std::string_view::npos;
}

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

}  // namespace

DynamodbLocalFile::DynamodbLocalFile(const std::string& path, const std::string& scratch)
    : path_(path) {
  try {
    open(scratch);
    read_tables();
    read_streams();
  } catch (const SqliteError& error) {
    remove_copy(copy_);
    fail(error.what());
  } catch (const fs::filesystem_error& error) {
    remove_copy(copy_);
    throw LocalFileError(messages::kUnreadableFile(path_, error.code().message()));
  } catch (...) {
    remove_copy(copy_);
    throw;
  }
}

DynamodbLocalFile::~DynamodbLocalFile() {
  file_.reset();
  remove_copy(copy_);
}

void DynamodbLocalFile::fail(std::string_view what) const {
  throw LocalFileError(messages::kDamagedFile(path_, what));
}

DynamodbLocalFile::Stamp DynamodbLocalFile::stamp() const {
  return {fs::file_size(path_), fs::last_write_time(path_)};
}

void DynamodbLocalFile::check_unchanged() const {
  std::error_code error;
  const Stamp now{fs::file_size(path_, error), fs::last_write_time(path_, error)};
  if (error || now != opened_) {
    throw LocalFileError(messages::kChangedFile(path_));
  }
}

void DynamodbLocalFile::open(const std::string& scratch) {
  if (!fs::is_regular_file(path_) || !starts_as_sqlite(path_)) {
    throw ForeignFile(messages::kNoSqliteFile(path_));
  }
  opened_ = stamp();
  if (!has_left_overs(path_)) {
    file_.emplace(path_, SqliteFile::Access::kUnchanged);
  } else {
    fs::create_directories(scratch);
    copy_ = scratch + "/" + name_of(path_);
    remove_copy(copy_);
    fs::copy_file(path_, copy_);
    for (const std::string_view suffix : kLeftOvers) {
      const std::string beside = path_ + std::string(suffix);
      if (fs::exists(beside)) fs::copy_file(beside, copy_ + std::string(suffix));
    }
    check_unchanged();
    fs::permissions(copy_, fs::perms::owner_read | fs::perms::owner_write);
    file_.emplace(copy_, SqliteFile::Access::kRecover);
  }
  if (!file_->has_table("dm")) {
    throw ForeignFile(messages::kNoTableDm(path_));
  }
}

void DynamodbLocalFile::read_tables() {
  SqliteRows rows = file_->rows_of("dm");
  const int name = rows.column("TableName");
  const int info = rows.column("TableInfo");
  if (name < 0 || info < 0) {
    throw ForeignFile(messages::kOtherTableDm(path_));
  }
  while (rows.next()) {
    LocalTable& table = tables_.emplace_back();
    table.name = rows.bytes(name);
    table.info = rows.bytes(info);
    table.on_demand = rows.integer(rows.column("BillingMode")) == 1;
    table.read_units = rows.integer(rows.column("ReadCapacityUnits"));
    table.write_units = rows.integer(rows.column("WriteCapacityUnits"));
    table.max_read_units = rows.integer(rows.column("MaxReadRequestUnits"));
    table.max_write_units = rows.integer(rows.column("MaxWriteRequestUnits"));
    table.deletion_protection = rows.bytes(rows.column("DeletionProtectionEnabled")) == "true";
  }
  for (const LocalTable& table : tables_) {
    if (!is_table_name(table.name)) fail(messages::kImpossibleName);
    if (!file_->has_table(table.name)) fail(messages::kMissingItems(table.name));
  }
}

// A stream that was disabled and enabled again has another row.
void DynamodbLocalFile::read_streams() {
  if (!file_->has_table("sm")) return;
  constexpr std::string_view kStart = "\"StreamViewType\":\"";
  SqliteRows rows = file_->rows_of("sm");
  while (rows.next()) {
    if (rows.bytes(rows.column("StreamStatus")) != "ENABLED") continue;
    const std::string_view name = rows.bytes(rows.column("TableName"));
    const std::string_view info = rows.bytes(rows.column("StreamInfo"));
    const std::size_t start = info.find(kStart);
    if (start == std::string_view::npos) continue;
    const std::string_view view = info.substr(start + kStart.size());
    for (LocalTable& table : tables_) {
      if (table.name == name) table.stream_view = view.substr(0, view.find('"'));
    }
  }
}

void DynamodbLocalFile::visit_items(const LocalTable& table,
                                    absl::FunctionRef<void(std::string_view item)> visit) {
  try {
    SqliteRows rows = file_->column_of(table.name, "ObjectJSON");
    while (rows.next()) {
      if (!rows.is_bytes(1)) fail(messages::kMissingItem(table.name));
      visit(rows.bytes(1));
    }
  } catch (const SqliteError& error) {
    fail(messages::kDamagedTable(table.name, error.what()));
  }
}

}  // namespace magneto::server::tools
