#include "server/tools/dynamodb_local/import_progress.h"

#include <functional>
#include <stdexcept>
#include <utility>

#include "server/formats/table_list.h"
#include "server/tools/dynamodb_local/dynamodb_local_file.h"
#include "server/tools/dynamodb_local/messages.h"

namespace magneto::server::tools {
namespace {

constexpr storage::Notes::Durability kSynced = storage::Notes::Durability::kPower;

void change(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::runtime_error& error) {
    throw LocalFileError(messages::kProgressNotWritten(error.what()));
  }
}

}  // namespace

ImportProgress::ImportProgress(storage::Notes& notes, const std::string& file_name)
    : notes_(notes),
      importing_("dynamodb-local/" + file_name + ".importing"),
      imported_("dynamodb-local/" + file_name + ".imported") {}

bool ImportProgress::is_finished() const { return notes_.get(imported_).has_value(); }

std::vector<std::string> ImportProgress::begun_tables() const {
  auto tables = formats::read_table_list(notes_.get(importing_).value_or(""));
  if (!tables) throw LocalFileError(messages::kProgressDamaged(importing_));
  return *std::move(tables);
}

void ImportProgress::begin(const std::vector<std::string>& tables) const {
  change([&] { notes_.put(importing_, formats::table_list_text(tables), kSynced); });
}

void ImportProgress::finish() const {
  change([&] {
    notes_.put(imported_, "", kSynced);
    notes_.remove(importing_, kSynced);
  });
}

}  // namespace magneto::server::tools
