// Calls, one after the other: an operation's name, a blank, and a body up to the end of the line.
// Two users make each call. One may access only its own items, the other only some attributes. No
// call lets either change or learn anything else.
#include <memory>
#include <string>
#include <string_view>

#include "api/authorization/authorizer.h"
#include "api/service.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

constexpr std::string_view kUsers = R"({"Users":[
  {"UserName":"ana","AccessKeys":["ANA"],"Policies":[{"Version":"2012-10-17","Statement":[
    {"Effect":"Allow","Resource":"arn:aws:dynamodb:*:*:table/tab",
     "Action":["dynamodb:GetItem","dynamodb:BatchGetItem","dynamodb:Query","dynamodb:PutItem",
               "dynamodb:UpdateItem","dynamodb:DeleteItem","dynamodb:BatchWriteItem",
               "dynamodb:ConditionCheckItem","dynamodb:PartiQL*"],
     "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":"${aws:username}"}}},
    {"Effect":"Deny","Action":"dynamodb:PartiQLSelect","Resource":"*",
     "Condition":{"Bool":{"dynamodb:FullTableScan":true}}}]}]},
  {"UserName":"eve","AccessKeys":["EVE"],"Policies":[{"Version":"2012-10-17","Statement":
    {"Effect":"Allow","Resource":"arn:aws:dynamodb:*:*:table/tab*",
     "Action":["dynamodb:GetItem","dynamodb:BatchGetItem","dynamodb:Query","dynamodb:Scan",
               "dynamodb:UpdateItem","dynamodb:ConditionCheckItem","dynamodb:PartiQLSelect",
               "dynamodb:PartiQLUpdate"],
     "Condition":{"ForAllValues:StringEquals":{"dynamodb:Attributes":["pk","sk","g","euros"]},
       "StringEqualsIfExists":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES",
         "dynamodb:ReturnValues":["NONE","UPDATED_OLD","UPDATED_NEW"]}}}}]}]})";

constexpr std::string_view kTable = R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
    {"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
  "GlobalSecondaryIndexes":[{"IndexName":"global","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})";

// No input has this text.
constexpr std::string_view kSecret = "5ecret-0f-b0b";
constexpr std::string_view kItem = R"({"TableName":"tab","Item":{"pk":{"S":"bob"},"sk":{"N":"1"},
  "g":{"S":"ana"},"euros":{"N":"1"},"secret":{"S":"5ecret-0f-b0b"}}})";

class HeldService {
 public:
  HeldService() {
    call({}, "CreateTable", kTable);
    call({}, "PutItem", kItem);
    kept_ = bobs_item();
    changed_ = false;
  }

  bool has_changed() const { return changed_; }

  // As a user of that key; as the server itself without one.
  std::string call(std::string_view key, std::string_view operation, std::string_view body) {
    api::Caller caller;
    caller.access_key = key;
    if (!key.empty()) caller.principal_arn = "arn:aws:iam::000000000000:user/any";
    std::string text(body);
    std::string response;
    const int status =
        service_.call(api::find_operation(operation), caller, "fuzz", text, response);
    require(status < 500, "no request is answered with a fault", response);
    const api::Operation* const called = api::find_operation(operation);
    changed_ |= status == 200 && called != nullptr && called->writes;
    return response;
  }

  void check_ana() { require_equal(bobs_item(), kept_, "ana changes nothing of bob's"); }
  void check_eve() {
    require(bobs_item().find(kSecret) != std::string::npos, "eve leaves what she may not name");
  }

 private:
  std::string bobs_item() {
    return call({}, "GetItem", R"({"TableName":"tab","Key":{"pk":{"S":"bob"},"sk":{"N":"1"}}})");
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ = storage::Databases::open({}, clock_);
  api::Authorizer authorizer_{[] {
                                static const auto identities =
                                    api::access::Identities::read(kUsers);
                                return identities;
                              },
                              false};
  api::Service service_{*databases_, {.report_elsewhere = {}, .authorizer = &authorizer_}};
  std::string kept_;
  bool changed_ = false;
};

// Makes a new service only if an input has changed something.
HeldService& fresh(std::unique_ptr<HeldService>& service) {
  if (service == nullptr || service->has_changed()) service = std::make_unique<HeldService>();
  return *service;
}

}  // namespace

void fuzz_authorization(std::string_view input) {
  constexpr int kMaxCalls = 8;
  if (input.find(kSecret) != std::string_view::npos) return;
  static std::unique_ptr<HeldService> services[2];
  HeldService& of_ana = fresh(services[0]);
  HeldService& of_eve = fresh(services[1]);
  for (int calls = 0; calls < kMaxCalls && !input.empty(); ++calls) {
    const std::size_t end = input.find('\n');
    const std::string_view line = input.substr(0, end);
    input = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
    const std::size_t blank = line.find(' ');
    const std::string_view operation = line.substr(0, blank);
    const std::string_view body =
        blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
    const std::string to_ana = of_ana.call("ANA", operation, body);
    require(to_ana.find(kSecret) == std::string::npos, "ana learns nothing of bob's", to_ana);
    const std::string to_eve = of_eve.call("EVE", operation, body);
    require(to_eve.find(kSecret) == std::string::npos, "eve learns what she may not name", to_eve);
  }
  of_ana.check_ana();
  of_eve.check_eve();
}

}  // namespace magneto::fuzz
