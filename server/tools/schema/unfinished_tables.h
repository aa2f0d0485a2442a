#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/service.h"
#include "storage/notes.h"

namespace magneto::server::tools::schema {

// The tables that a start is creating for --schema. The note `schema-tables.begun` of the store lists
// them until the start has created all of them. So the next start knows which tables a killed or
// failed start left unfinished. Each change is on the disk when its function returns. Throws
// SchemaError on failure.
class UnfinishedTables {
 public:
  static constexpr std::string_view kNoteName = "schema-tables.begun";

  struct Record {
    std::optional<std::string> region;  // the tables' region; nullopt: without isolation
    std::vector<std::string> names;
  };

  // nullopt for damaged text.
  static std::optional<Record> parse(std::string_view text);

  // `notes` must outlive this object.
  explicit UnfinishedTables(storage::Notes& notes) : notes_(notes) {}

  // The tables that an earlier start left; nullopt: none. Throws SchemaError for a damaged note.
  std::optional<Record> read() const;
  void write(const Record& record) const;
  // Waits until all data written to the store has reached the disk.
  void clear() const;

 private:
  storage::Notes& notes_;
};

// Deletes the tables of the record, and then the record. `service` has the isolation that they were
// created with. If a table cannot be deleted, throws SchemaError and keeps the record.
void remove_unfinished_tables(const UnfinishedTables& unfinished,
                              const UnfinishedTables::Record& record, api::Service& service,
                              const std::function<void(std::string_view what)>& warn);

}  // namespace magneto::server::tools::schema
