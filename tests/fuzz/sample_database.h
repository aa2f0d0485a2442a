#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"
#include "api/service.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "tests/support/listed_jobs.h"

namespace magneto::fuzz {

// A service over a database in memory with a few tables and items. "tab" has the keys pk (S) and sk
// (N), a local index, two global ones and a stream; "plain" has pk (S), "bytes" pk (B), and
// "places" a global index of several attributes and, since an hour, point-in-time recovery.
class SampleDatabase {
 public:
  SampleDatabase();

  struct Answer {
    int status = 0;
    std::string body;
  };

  // Calls the operation and checks what every answer keeps to: it is no fault of the server's, and
  // JSON. nullptr answers as an unknown operation.
  Answer call(const api::Operation* operation, std::string_view body,
              std::string_view region = api::Caller{}.region);
  Answer call(std::string_view operation, std::string_view body);

  // Returns the ARN of a complete backup, and creates it if necessary.
  std::string backup_arn();

  // Checks that indexes hold what their tables do.
  void check_indexes();

  // The database of the region from which calls come by default.
  storage::Database& database() { return databases_->make(api::Caller{}.region); }
  api::Service& service() { return service_; }
  const storage::Clock& clock() const { return clock_; }

 private:
  std::string fault_;  // that the service logged last
  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_;
  ListedJobs jobs_;
  api::Service service_;
};

// Returns the text of a member of a JSON object; empty if there is none.
std::string text_member(std::string_view json, std::string_view name);

}  // namespace magneto::fuzz
