#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "api/operation.h"
#include "api/service.h"
#include "storage/clock.h"
#include "storage/databases.h"

namespace magneto::api {

// A Service over an empty database in memory. Requests name an operation and give a body.
class TestService {
 public:
  struct Answer {
    int status;
    std::string body;
  };

  explicit TestService(const storage::DatabaseOptions& options = {})
      : databases_(storage::Databases::open(options, clock_)) {}
  explicit TestService(std::unique_ptr<storage::Engine> engine)
      : databases_(storage::Databases::open({}, clock_, std::move(engine))) {}

  Answer call(std::string_view operation, std::string body) {
    Answer answer{};
    answer.status = service_.call(find_operation(operation), Caller{}, "test", body, answer.body);
    return answer;
  }

  // The body of a request that must succeed.
  std::string succeed(std::string_view operation, std::string body) {
    const std::string shown = body.substr(0, 300);
    Answer answer = call(operation, std::move(body));
    EXPECT_EQ(answer.status, 200) << operation << ' ' << shown << '\n' << answer.body;
    return std::move(answer.body);
  }

  // The answer to a request that must fail.
  std::string fail(std::string_view operation, std::string body) {
    const std::string shown = body.substr(0, 300);
    Answer answer = call(operation, std::move(body));
    EXPECT_EQ(answer.status, 400) << operation << ' ' << shown << '\n'
                                  << answer.body.substr(0, 300);
    return std::move(answer.body);
  }

  // A table with the string keys pk and, when asked for, sk.
  void create_table(const std::string& name, bool with_sort_key) {
    storage::TableSchema schema;
    schema.name = name;
    schema.billing = storage::BillingMode::kPayPerRequest;
    schema.key.partition = {{"pk", storage::AttributeType::kString}};
    if (with_sort_key) schema.key.sort = {{"sk", storage::AttributeType::kString}};
    ASSERT_NE(database().create_table(schema), nullptr);
  }

  // As an I/O thread calls it: nullopt when the call needs a worker.
  std::optional<Answer> try_call(std::string_view operation, std::string body,
                                 std::uint64_t step_limit) {
    Answer answer{};
    storage::Effort effort(step_limit, &service_.stopping());
    const std::optional<int> status =
        service_.try_call(find_operation(operation), Caller{}, "test", body, answer.body, effort);
    if (!status) return std::nullopt;
    answer.status = *status;
    return answer;
  }

  Faults& faults() { return faults_; }
  Journal& journal() { return journal_; }

  storage::Database& database() { return databases_->main(); }
  storage::Databases& databases() { return *databases_; }
  Service& service() { return service_; }
  storage::Clock& clock() { return clock_; }

 private:
  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_;
  Faults faults_;
  Journal journal_{"main"};
  Service service_{*databases_, {.report_elsewhere = {}, .faults = &faults_, .journal = &journal_}};
};

}  // namespace magneto::api
