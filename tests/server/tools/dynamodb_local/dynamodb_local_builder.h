#pragma once

#include <string>
#include <string_view>

struct sqlite3;

namespace magneto::server::tools {

// Writes a file as DynamoDB Local 3.1.0 does (seen with conformance/dynamodb_local).
class DynamodbLocalBuilder {
 public:
  explicit DynamodbLocalBuilder(const std::string& path);
  ~DynamodbLocalBuilder();
  DynamodbLocalBuilder(const DynamodbLocalBuilder&) = delete;
  DynamodbLocalBuilder& operator=(const DynamodbLocalBuilder&) = delete;

  struct Settings {
    bool on_demand = true;
    int read_units = 0;
    int write_units = 0;
    int max_read_units = -1;
    int max_write_units = -1;
    std::string_view protection = "null";  // or "true", "false"
  };

  // A table with the string partition key pk. `more` are members of its TableInfo, each with a
  // comma in front.
  void add_simple_table(const std::string& name, const std::string& more = {});
  void add_table(const std::string& name, const std::string& info, const Settings& settings);
  void add_stream(const std::string& table, const std::string& view, const std::string& status);
  void add_item(const std::string& table, const std::string& json);

  // Any SQL.
  void run(const std::string& sql);

 private:
  sqlite3* database_ = nullptr;
  int keys_ = 0;
};

}  // namespace magneto::server::tools
