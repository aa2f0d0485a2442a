#include "server/tools/schema/schema_start.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <utility>

#include "server/bulk/item_batch.h"
#include "server/bulk/operations.h"
#include "server/client/signing/authorization.h"
#include "server/tools/schema/messages.h"
#include "server/tools/schema/table_facts.h"
#include "server/tools/schema/unfinished_tables.h"

namespace magneto::server::tools::schema {
namespace {

constexpr std::size_t kMaxDifferences = 20;  // the most in one message
constexpr std::chrono::seconds kProgressTime{2};
constexpr std::string_view kStartRegion = "AWS::Region";

std::optional<std::string> read_environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<TableDefinition> read_definitions(const SchemaOptions& options,
                                              const api::Caller& caller,
                                              const ReportWarning& warn) {
  const auto no_environment = [](const std::string&) { return std::optional<std::string>(); };
  SchemaParameters parameters(options.parameters, std::string(caller.home_account()),
                              options.text ? SchemaParameters::Environment(no_environment)
                                           : SchemaParameters::Environment(read_environment));
  if (const auto given = parameters.find(kStartRegion); given && !client::is_region(*given)) {
    throw SchemaError(0, messages::kWrongRegion(*given));
  }
  if (options.by_region) parameters.set_owner_region(std::string(caller.region));
  std::vector<TableDefinition> tables =
      options.text ? read_schema(options.text->text, options.text->file, parameters, warn)
                   : read_schema_files(options.files, parameters, warn);
  for (const std::string& name : parameters.unused()) {
    throw SchemaError(0, messages::kUnusedParameter(name));
  }
  return tables;
}

class Maker {
 public:
  using Progress = std::function<void(std::string_view what)>;

  Maker(bulk::Operations& operations, Progress progress)
      : operations_(operations), progress_(std::move(progress)) {}

  // Creates all tables, ACTIVE and with their items. Throws SchemaError and OperationFault.
  void make(const std::vector<const TableDefinition*>& tables) {
    for (const TableDefinition* table : tables) {
      begun_.push_back(table->name);
      ask("CreateTable", table->create, *table);
    }
    for (const TableDefinition* table : tables) {
      operations_.wait_until_active(table->name);
      fill(*table);
      const auto set = [&](std::string_view operation, const std::string& body) {
        if (!body.empty()) ask(operation, body, *table);
      };
      set("UpdateTimeToLive", table->time_to_live);
      set("UpdateContinuousBackups", table->recovery);
      for (const std::string& insights : table->insights) {
        set("UpdateContributorInsights", insights);
      }
    }
  }

  // Deletes the tables that make() created, as far as possible; returns the others.
  std::vector<std::string> undo() {
    std::vector<std::string> left;
    for (const std::string& name : begun_) {
      try {
        operations_.remove_table(name);
      } catch (const std::exception&) {
        left.push_back(name);
      }
    }
    return left;
  }

 private:
  void ask(std::string_view operation, const std::string& body, const TableDefinition& table) {
    if (operations_.call(operation, body) == 200) return;
    throw SchemaError(
        0, messages::kTableRefused(table.place(), table.name, operation, operations_.message()));
  }

  void fill(const TableDefinition& table) {
    bulk::ItemBatch batch(operations_, table.name, [&](std::size_t number) {
      const SeedItem& item = table.items[number];
      const std::string place = item.file + ":" + std::to_string(item.line);
      throw SchemaError(
          0, messages::kItemRefused(place, table.name, "PutItem", operations_.message()));
    });
    auto told = std::chrono::steady_clock::now();
    for (const SeedItem& item : table.items) {
      batch.add(item.json);
      const auto now = std::chrono::steady_clock::now();
      if (now - told < kProgressTime) continue;
      told = now;
      progress_(messages::filled_so_far(batch.done(), table.items.size(), table.name));
    }
    batch.send();
  }

  bulk::Operations& operations_;
  const Progress progress_;
  std::vector<std::string> begun_;
};

class Comparison {
 public:
  Comparison(bulk::Operations& rehearsed, bulk::Operations& store)
      : rehearsed_(rehearsed), store_(store) {}

  // True if the store has that table.
  bool look_at(const TableDefinition& table) {
    if (store_.call("DescribeTable", bulk::table_request(table.name)) != 200) return false;
    if (store_.answer().object().find("Table").object().find("TableStatus").string() ==
        "DELETING") {
      store_.wait_until_gone(table.name);
      return false;
    }
    store_.wait_until_active(table.name);
    const std::vector<std::string> found =
        differences(facts_of(table.name, store_), facts_of(table.name, rehearsed_));
    if (found.empty()) return true;
    report_ += messages::kDifferingTable(table.name, table.place());
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
  bulk::Operations& rehearsed_;
  bulk::Operations& store_;
  std::string report_;
  std::size_t count_ = 0;
};

// Returns the tables that still exist. While their record exists, the next start deletes them.
std::vector<std::string> undo(Maker& maker, const std::optional<UnfinishedTables>& unfinished) {
  std::vector<std::string> left = maker.undo();
  try {
    if (left.empty() && unfinished) unfinished->clear();
  } catch (const SchemaError&) {  // the error that caused undo() is the one to report
  }
  return left;
}

// Creates all of the missing tables or, on any error, none.
void make_missing(const std::vector<const TableDefinition*>& missing, const SchemaOptions& options,
                  bulk::Operations& store, const SchemaReport& report, const std::string& region) {
  std::optional<UnfinishedTables> unfinished;
  if (options.notes != nullptr) unfinished.emplace(*options.notes);
  UnfinishedTables::Record record;
  if (options.by_region) record.region = region;
  for (const TableDefinition* table : missing) record.names.push_back(table->name);
  if (unfinished) unfinished->write(record);
  Maker maker(store, report.progress);
  try {
    maker.make(missing);
  } catch (const std::exception& error) {
    throw SchemaError(0, messages::not_made(error.what(), undo(maker, unfinished)));
  }
  if (unfinished) unfinished->clear();
}

}  // namespace

SchemaTables create_schema_tables(const SchemaOptions& options, const api::Caller& caller,
                                  api::Service& rehearsal, api::Service& service,
                                  const SchemaReport& report) {
  const std::vector<TableDefinition> tables = read_definitions(options, caller, report.warning);
  bulk::Operations rehearsed(rehearsal, caller, "schema");
  std::vector<const TableDefinition*> all;
  all.reserve(tables.size());
  for (const TableDefinition& table : tables) all.push_back(&table);
  Maker(rehearsed, [](std::string_view) {}).make(all);

  bulk::Operations store(service, caller, "schema");
  Comparison comparison(rehearsed, store);
  std::vector<const TableDefinition*> missing;
  missing.reserve(tables.size());
  for (const TableDefinition& table : tables) {
    if (!comparison.look_at(table)) missing.push_back(&table);
  }
  comparison.check();
  SchemaTables all_there{.names{}, .made = missing.size()};
  for (const TableDefinition& table : tables) all_there.names.push_back(table.name);
  if (!missing.empty() && !options.dry_run) {
    make_missing(missing, options, store, report, std::string(caller.region));
  }
  return all_there;
}

}  // namespace magneto::server::tools::schema
