#include "server/tools/schema/unfinished_tables.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "api/validation/parameter_shapes.h"
#include "server/bulk/operations.h"
#include "server/formats/table_list.h"
#include "server/tools/schema/messages.h"
#include "server/tools/schema/node.h"

namespace magneto::server::tools::schema {
namespace {

// The first line has the owner of the tables. Each further line has a table.
constexpr std::string_view kEverybody = "everybody";
constexpr std::string_view kRegion = "region ";

void change(const std::function<void()>& write) {
  try {
    write();
  } catch (const std::runtime_error& error) {
    throw SchemaError(0, messages::kNoteNotWritten(error.what()));
  }
}

}  // namespace

std::optional<UnfinishedTables::Record> UnfinishedTables::parse(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view owner = text.substr(0, end);
  auto names = formats::read_table_list(text.substr(end + 1));
  if (!names) return std::nullopt;
  Record record{.region = std::nullopt, .names = *std::move(names)};
  if (owner == kEverybody) return record;
  record.region = owner.substr(std::min(kRegion.size(), owner.size()));
  if (!owner.starts_with(kRegion) || !api::is_resource_name(*record.region)) return std::nullopt;
  return record;
}

std::optional<UnfinishedTables::Record> UnfinishedTables::read() const {
  const std::optional<std::string> text = notes_.get(kNoteName);
  if (!text) return std::nullopt;
  std::optional<Record> record = parse(*text);
  if (!record) throw SchemaError(0, messages::kNoteDamaged(kNoteName));
  return record;
}

void UnfinishedTables::write(const Record& record) const {
  std::string text =
      record.region ? std::string(kRegion) + *record.region : std::string(kEverybody);
  text += '\n' + formats::table_list_text(record.names);
  change([&] { notes_.put(kNoteName, text, storage::Notes::Durability::kPower); });
}

void UnfinishedTables::clear() const {
  change([&] { notes_.remove(kNoteName, storage::Notes::Durability::kPower); });
}

void remove_unfinished_tables(const UnfinishedTables& unfinished,
                              const UnfinishedTables::Record& record, api::Service& service,
                              const std::function<void(std::string_view what)>& warn) {
  api::Caller caller;
  if (record.region) caller.region = *record.region;
  bulk::Operations operations(service, caller, "schema");
  std::vector<std::string> removed;
  for (const std::string& name : record.names) {
    try {
      if (operations.begin_removal(name)) removed.push_back(name);
    } catch (const bulk::OperationFault& fault) {
      throw SchemaError(0, messages::kPartNotRemoved(name, fault.what()));
    }
  }
  for (const std::string& name : removed) operations.wait_until_gone(name);
  unfinished.clear();
  if (!removed.empty()) warn(messages::parts_removed(removed));
}

}  // namespace magneto::server::tools::schema
