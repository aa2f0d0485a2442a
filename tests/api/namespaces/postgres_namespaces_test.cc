#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "api/messages/namespace_messages.h"
#include "api/namespaces/namespaces.h"
#include "tests/support/postgres_server.h"

// The namespaces of a server whose main one is in a PostgreSQL database.
namespace magneto::api {
namespace {

constexpr std::string_view kKeyedTable =
    R"({"TableName":"Tab","BillingMode":"PAY_PER_REQUEST",)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
constexpr std::string_view kItem = R"({"TableName":"Tab","Item":{"pk":{"S":"a"}}})";

class PostgresNamespacesTest : public testing::Test {
 protected:
  PostgresNamespacesTest() {
    options_.store = storage::postgres_options(directory_);
    open();
  }
  void open() {
    namespaces_.reset();
    namespaces_ = std::make_unique<Namespaces>(storage::Databases::open(options_, settings_->clock),
                                               settings_, NamespacesOptions{{}, options_, {}});
  }
  static std::string call(Namespace& space, std::string_view operation, std::string_view body) {
    std::string request(body);
    std::string response;
    space.service().call(find_operation(operation), Caller(), "ID", request, response);
    return response;
  }
  static bool has_item(Namespace& space) {
    return call(space, "Scan", R"({"TableName":"Tab"})").find(R"("Count":1)") != std::string::npos;
  }

  const storage::TempDirectory directory_;
  storage::DatabaseOptions options_;
  const std::shared_ptr<ControlSettings> settings_ = std::make_shared<ControlSettings>("main");
  std::unique_ptr<Namespaces> namespaces_;
};

TEST_F(PostgresNamespacesTest, ForksSeeOneMomentAndWriteInMemory) {
  Namespace& main = *namespaces_->main();
  call(main, "CreateTable", kKeyedTable);
  namespaces_->take_snapshot("empty", "main");
  call(main, "PutItem", kItem);
  const auto fork = namespaces_->create(
      {.name = "fork", .origin = {NamespaceOrigin::Kind::kNamespace, "main"}, .expires_after = {}});
  call(*fork, "DeleteItem", R"({"TableName":"Tab","Key":{"pk":{"S":"a"}}})");
  EXPECT_FALSE(has_item(*fork));
  EXPECT_TRUE(has_item(main));
  const auto empty = namespaces_->create({.name = "other",
                                          .origin = {NamespaceOrigin::Kind::kSnapshot, "empty"},
                                          .expires_after = {}});
  EXPECT_FALSE(has_item(*empty));
}

TEST_F(PostgresNamespacesTest, MainStaysInTheDatabase) {
  call(*namespaces_->main(), "CreateTable", kKeyedTable);
  namespaces_->take_snapshot("empty", "main");
  call(*namespaces_->main(), "PutItem", kItem);
  try {
    namespaces_->restore("main", "empty");
    ADD_FAILURE() << "main was restored";
  } catch (const NamespaceError& error) {
    EXPECT_EQ(std::string_view(error.what()), messages::kNoRestoreOfStore);
  }
  EXPECT_TRUE(has_item(*namespaces_->main()));
  open();
  EXPECT_TRUE(has_item(*namespaces_->main()));
}

}  // namespace
}  // namespace magneto::api
