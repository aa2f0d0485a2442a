#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/service.h"

namespace magneto::server::tools::schema {

// The tables that a start is making for --schema, noted in the data directory as long as it has not
// come to its end: what a start leaves that was killed or failed is known to be no more than a part.
// What is written is on the disk before the next step is taken. Failures throw SchemaError.
class BegunTables {
 public:
  struct Note {
    std::optional<std::string> region;  // whose they are; none: without isolation
    std::vector<std::string> names;
  };

  // Without a directory nothing is noted, since nothing outlives the process.
  explicit BegunTables(const std::string& data_directory);

  // What an earlier start left; nullopt: nothing.
  std::optional<Note> read() const;
  void write(const Note& note) const;
  // Waits until all that was written to the data directory's disk is on it.
  void clear() const;

 private:
  const std::string directory_;
  const std::string path_;
};

// Deletes the tables that the note names, and then the note. `service` has the isolation that they
// were made with. Throws SchemaError where one cannot be deleted; the note stays then.
void remove_begun_tables(const BegunTables& begun, const BegunTables::Note& note,
                         api::Service& service,
                         const std::function<void(std::string_view what)>& warn);

}  // namespace magneto::server::tools::schema
