#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/authorization/authorizer.h"
#include "api/service.h"
#include "storage/clock.h"
#include "storage/databases.h"

namespace magneto::api {

inline constexpr std::string_view kOwner = "000000000000";
inline constexpr std::string_view kOrders = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders";
inline constexpr std::string_view kMakeOrders = R"({
  "TableName":"Orders","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"Customer","AttributeType":"S"},
                          {"AttributeName":"Number","AttributeType":"N"},
                          {"AttributeName":"State","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"Customer","KeyType":"HASH"},
               {"AttributeName":"Number","KeyType":"RANGE"}],
  "GlobalSecondaryIndexes":[{"IndexName":"ByState","Projection":{"ProjectionType":"ALL"},
                             "KeySchema":[{"AttributeName":"State","KeyType":"HASH"}]}],
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},
  "Tags":[{"Key":"Team","Value":"blue"}]})";

// A service with the user ana: her access key is ANA, and she has one policy. The policies do not
// name the caller ADMIN.
class AuthorizedService : public testing::Test {
 protected:
  AuthorizedService() {
    journal_.change({.on = true});
    EXPECT_EQ(call("ADMIN", "CreateTable", kMakeOrders), 200) << response_;
  }

  void allow(std::string_view statement) {
    const std::string text =
        std::string(R"({"Users":[{"UserName":"ana","AccessKeys":["ANA"],"Policies":[)")
            .append(R"({"Version":"2012-10-17","Statement":)")
            .append(statement) +
        "}]}]}";
    identities_ = access::Identities::read(text);
  }

  int call(std::string_view key, std::string_view operation, std::string_view body,
           std::string_view account = kOwner) {
    const std::string arn = std::string("arn:aws:iam::").append(account) + ":user/profile";
    const Caller caller{
        .account = account, .access_key = key, .principal_arn = arn, .address = "10.1.2.3:4711"};
    std::string text(body);
    return service_.call(find_operation(operation), caller, "id", text, response_);
  }

  bool is_denied() const { return response_.find("#AccessDeniedException") != std::string::npos; }
  // Whether ana has the permission, even if the call fails for another reason.
  bool may(std::string_view operation, std::string_view body, std::string_view account = kOwner) {
    const int status = call("ANA", operation, body, account);
    EXPECT_NE(status, 500) << response_;
    return !is_denied();
  }

  void put_policy(std::string_view statement, std::string_view resource = kOrders) {
    std::string policy;
    const std::string text =
        std::string(R"({"Version":"2012-10-17","Statement":)").append(statement) + "}";
    for (const char c : text) {
      if (c == '"') policy += '\\';
      if (c != '\n') policy += c;
    }
    const std::string body =
        std::string(R"({"ResourceArn":")").append(resource) + R"(","Policy":")" + policy + R"("})";
    EXPECT_EQ(call("ADMIN", "PutResourcePolicy", body), 200) << response_;
  }

  // The last record's decisions, as JSON has them.
  const std::vector<access::Decision>& decisions() {
    page_ = journal_.read({.after = journal_.last_number() - 1}, 1);
    return page_.records.at(0)->decisions;
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ =
      storage::Databases::open(storage::DatabaseOptions{}, clock_);
  std::shared_ptr<const access::Identities> identities_;
  Authorizer authorizer_{[this] { return identities_; }, true};
  Journal journal_{"main"};
  Journal::Page page_;
  std::string response_;
  Service service_{*databases_,
                   {.report_elsewhere = {}, .journal = &journal_, .authorizer = &authorizer_}};
};

}  // namespace magneto::api
