#include "server/tools/schema/begun_tables.h"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "server/bulk/operations.h"
#include "server/system/synced_file.h"
#include "server/tools/schema/messages.h"
#include "server/tools/schema/node.h"

namespace magneto::server::tools::schema {
namespace {

// The owner is in the first line, and each further line has a table.
constexpr const char* kFileName = "/schema-tables.begun";
constexpr std::string_view kEverybody = "everybody";
constexpr std::string_view kRegion = "region ";

void change(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::filesystem::filesystem_error& error) {
    throw SchemaError(0, messages::kNoteNotWritten(error.path1().string(), error.code().message()));
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
  std::string owner;
  std::getline(file, owner);
  if (owner.starts_with(kRegion)) {
    note.region = owner.substr(kRegion.size());
  } else if (owner != kEverybody) {
    throw SchemaError(0, messages::kNoteUnreadable(path_));
  }
  for (std::string line; std::getline(file, line);) note.names.push_back(line);
  return note;
}

void BegunTables::write(const Note& note) const {
  if (directory_.empty()) return;
  std::string text = note.region ? std::string(kRegion) + *note.region : std::string(kEverybody);
  text += '\n';
  for (const std::string& name : note.names) text += name + '\n';
  change([&] { system::write_synced(path_, text); });
}

void BegunTables::clear() const {
  if (directory_.empty()) return;
  change([this] {
    system::sync_disk(directory_);
    system::remove_synced(path_);
  });
}

void remove_begun_tables(const BegunTables& begun, const BegunTables::Note& note,
                         api::Service& service,
                         const std::function<void(std::string_view what)>& warn) {
  api::Caller caller;
  if (note.region) caller.region = *note.region;
  bulk::Operations operations(service, caller, "schema");
  std::vector<std::string> removed;
  for (const std::string& name : note.names) {
    try {
      if (operations.begin_removal(name)) removed.push_back(name);
    } catch (const bulk::OperationFault& fault) {
      throw SchemaError(0, messages::kPartNotRemoved(name, fault.what()));
    }
  }
  for (const std::string& name : removed) operations.wait_until_gone(name);
  begun.clear();
  if (!removed.empty()) warn(messages::parts_removed(removed));
}

}  // namespace magneto::server::tools::schema
