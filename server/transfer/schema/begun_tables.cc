#include "server/transfer/schema/begun_tables.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "server/transfer/operations.h"
#include "server/transfer/schema/messages.h"
#include "server/transfer/schema/node.h"
#include "server/transfer/synced_file.h"

namespace magneto::server::schema {
namespace {

// The region in the first line, then a table in each.
constexpr const char* kFileName = "/schema-tables.begun";

void change(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::filesystem::filesystem_error& error) {
    throw SchemaError(0,
                      messages::note_not_written(error.path1().string(), error.code().message()));
  }
}

}  // namespace

BegunTables::BegunTables(const std::string& data_directory)
    : directory_(data_directory), path_(data_directory + kFileName) {}

std::optional<BegunTables::Note> BegunTables::read() const {
  if (directory_.empty()) return std::nullopt;
  std::error_code none;
  if (std::filesystem::status(path_, none).type() == std::filesystem::file_type::not_found) {
    return std::nullopt;
  }
  std::ifstream file(path_);
  Note note;
  if (!std::getline(file, note.region)) throw SchemaError(0, messages::note_unreadable(path_));
  for (std::string line; std::getline(file, line);) note.names.push_back(line);
  return note;
}

void BegunTables::write(const Note& note) const {
  if (directory_.empty()) return;
  std::string text = note.region + '\n';
  for (const std::string& name : note.names) text += name + '\n';
  change([&] { write_synced(path_, text); });
}

void BegunTables::clear() const {
  if (directory_.empty()) return;
  change([this] {
    sync_disk(directory_);
    remove_synced(path_);
  });
}

void remove_begun_tables(const BegunTables& begun, const BegunTables::Note& note,
                         api::Service& service,
                         const std::function<void(std::string_view what)>& warn) {
  api::Caller caller;
  if (!note.region.empty()) caller.region = note.region;
  Operations operations(service, caller, "schema");
  std::vector<std::string> removed;
  for (const std::string& name : note.names) {
    try {
      if (!operations.has_table(name)) continue;
      operations.remove_table(name);
      removed.push_back(name);
    } catch (const OperationFault& fault) {
      throw SchemaError(0, messages::part_not_removed(name, fault.what()));
    }
  }
  begun.clear();
  if (!removed.empty()) warn(messages::parts_removed(removed));
}

}  // namespace magneto::server::schema
