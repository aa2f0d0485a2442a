#include "server/transfer/schema/schema_start.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>

#include "api/json/json_writer.h"
#include "server/transfer/operations.h"
#include "server/transfer/schema/messages.h"
#include "server/transfer/schema/table_facts.h"

namespace magneto::server::schema {
namespace {

constexpr std::size_t kMaxDifferences = 20;  // that one message tells

std::optional<std::string> read_environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<TableDefinition> read_definitions(const SchemaOptions& options,
                                              const api::Caller& caller,
                                              const ReportWarning& warn) {
  std::map<std::string, std::string> given = options.parameters;
  given.try_emplace("AWS::Region", caller.region);
  SchemaParameters parameters(std::move(given), std::string(caller.home_account()),
                              read_environment);
  std::vector<TableDefinition> tables = read_schema_files(options.files, parameters, warn);
  for (const std::string& name : parameters.unused()) {
    if (options.parameters.contains(name) && name != "AWS::Region") {
      throw SchemaError(0, messages::unused_parameter(name));
    }
  }
  return tables;
}

class Maker {
 public:
  explicit Maker(Operations& operations) : operations_(operations) {}

  // All of them, ACTIVE and with their items. Throws SchemaError and OperationFault.
  void make(const std::vector<const TableDefinition*>& tables) {
    for (const TableDefinition* table : tables) {
      ask("CreateTable", table->create, *table);
      created_.push_back(table->name);
    }
    for (const TableDefinition* table : tables) {
      operations_.wait_until_active(table->name);
      for (const SeedItem& item : table->items) put(*table, item);
      const auto set = [&](std::string_view operation, const std::string& body) {
        if (!body.empty()) ask(operation, body, *table);
      };
      set("UpdateTimeToLive", table->time_to_live);
      set("UpdateContinuousBackups", table->recovery);
    }
  }

  // Deletes what make() created, as far as that goes.
  void undo() {
    for (const std::string& name : created_) {
      try {
        operations_.remove_table(name);
      } catch (const std::exception&) {  // the first failure is the one to tell
      }
    }
  }

 private:
  void ask(std::string_view operation, const std::string& body, const TableDefinition& table) {
    if (operations_.call(operation, body) == 200) return;
    throw SchemaError(
        0, messages::table_refused(table.place(), table.name, operation, operations_.message()));
  }

  void put(const TableDefinition& table, const SeedItem& item) {
    std::string body = "{\"TableName\":";
    api::json::append_string(body, table.name);
    body += ",\"Item\":" + item.json + "}";
    if (operations_.call("PutItem", body) == 200) return;
    const std::string place = item.file + ":" + std::to_string(item.line);
    throw SchemaError(0,
                      messages::item_refused(place, table.name, "PutItem", operations_.message()));
  }

  Operations& operations_;
  std::vector<std::string> created_;
};

class Comparison {
 public:
  Comparison(Operations& rehearsed, Operations& store) : rehearsed_(rehearsed), store_(store) {}

  // True when the store has that table.
  bool look_at(const TableDefinition& table) {
    if (store_.call("DescribeTable", table_request(table.name)) != 200) return false;
    if (store_.answer().object().find("Table").object().find("TableStatus").string() ==
        "DELETING") {
      store_.wait_until_gone(table.name);
      return false;
    }
    store_.wait_until_active(table.name);
    const std::vector<std::string> found =
        differences(facts_of(table.name, store_), facts_of(table.name, rehearsed_));
    if (found.empty()) return true;
    report_ += messages::differing_table(table.name, table.place());
    for (const std::string& difference : found) {
      if (count_++ < kMaxDifferences) report_ += "\n    " + difference;
    }
    return true;
  }

  void check() const {
    if (count_ == 0) return;
    const std::size_t left_out = count_ - std::min(count_, kMaxDifferences);
    throw SchemaError(0, messages::tables_differ(report_, left_out));
  }

 private:
  Operations& rehearsed_;
  Operations& store_;
  std::string report_;
  std::size_t count_ = 0;
};

}  // namespace

void create_schema_tables(const SchemaOptions& options, const api::Caller& caller,
                          api::Service& rehearsal, api::Service& service,
                          const ReportWarning& warn) {
  const std::vector<TableDefinition> tables = read_definitions(options, caller, warn);
  Operations rehearsed(rehearsal, caller, "schema");
  std::vector<const TableDefinition*> all;
  all.reserve(tables.size());
  for (const TableDefinition& table : tables) all.push_back(&table);
  Maker(rehearsed).make(all);

  Operations store(service, caller, "schema");
  Comparison comparison(rehearsed, store);
  std::vector<const TableDefinition*> missing;
  missing.reserve(tables.size());
  for (const TableDefinition& table : tables) {
    if (!comparison.look_at(table)) missing.push_back(&table);
  }
  comparison.check();
  Maker maker(store);
  try {
    maker.make(missing);
  } catch (const std::exception& error) {
    maker.undo();
    throw SchemaError(0, messages::not_made(error.what()));
  }
}

}  // namespace magneto::server::schema
