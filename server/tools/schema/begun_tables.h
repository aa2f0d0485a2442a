#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/service.h"

namespace magneto::server::tools::schema {

// A note in the data directory about the tables that a start creates for --schema, until the start
// ends. So a later start knows that the tables of a killed or failed start are incomplete. The note
// is on the disk before the next step. Failures throw SchemaError.
class BegunTables {
 public:
  struct Note {
    std::optional<std::string> region;  // of the tables; none: without isolation
    std::vector<std::string> names;
  };

  // Without a directory nothing is noted, since nothing outlives the process.
  explicit BegunTables(const std::string& data_directory);

  // Returns the note of an earlier start; nullopt if there is none.
  std::optional<Note> read() const;
  void write(const Note& note) const;
  // Removes the note, after all writes to the data directory's disk have reached it.
  void clear() const;

 private:
  const std::string directory_;
  const std::string path_;
};

// Deletes the tables in the note, and then the note. `service` must have the isolation with which
// they were created. If a table cannot be deleted, throws SchemaError and keeps the note.
void remove_begun_tables(const BegunTables& begun, const BegunTables::Note& note,
                         api::Service& service,
                         const std::function<void(std::string_view what)>& warn);

}  // namespace magneto::server::tools::schema
