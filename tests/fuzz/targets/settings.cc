// On the first line a fault rule, the settings or an assertion of the journal. Then a call: an
// operation's name, a blank and a body. The call is made with the rule, and recorded in the
// journal.
#include <cstdint>
#include <memory>
#include <string>

#include "api/control_error.h"
#include "api/faults/fault_rule_json.h"
#include "api/journal/assertions.h"
#include "api/journal/journal_json.h"
#include "api/service.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using api::json::Document;
using api::json::Object;
using api::json::Writer;

class ControlledService {
 public:
  ControlledService() {
    journal_.change({.on = true, .bodies = true});
    std::string body =
        R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":)"
        R"([{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},)"
        R"({"AttributeName":"other","AttributeType":"B"}],)"
        R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
        R"({"AttributeName":"sk","KeyType":"RANGE"}],"GlobalSecondaryIndexes":)"
        R"([{"IndexName":"gsi","Projection":{"ProjectionType":"ALL"},)"
        R"("KeySchema":[{"AttributeName":"other","KeyType":"HASH"}]}]})";
    call(api::find_operation("CreateTable"), body);
  }

  void call(const api::Operation* operation, std::string body) {
    std::string response;
    const int status = service_.call(operation, api::Caller(), "id", body, response);
    require(status == 200 || status >= 400, "a status is one of an answer");
    Document document;
    require(document.parse(response).has_value(), "an answer is JSON");
  }

  api::Faults& faults() { return faults_; }
  api::Journal& journal() { return journal_; }

 private:
  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ = storage::Databases::open({}, clock_);
  api::Faults faults_;
  api::Journal journal_{"main"};
  api::Service service_{*databases_,
                        {.report_elsewhere = {}, .faults = &faults_, .journal = &journal_}};
};

// A rule is listed so that it can be made again.
void add_rule(Object given, api::Faults& faults) {
  faults.add(api::read_fault_rule(given));
  std::string listed;
  Writer writer(listed);
  api::write_fault_rules(faults, writer);
  Document document;
  const auto rules = document.parse(listed);
  require(rules && rules->array().size() == 1, "rules are listed as JSON", listed);
}

void check_journal(const api::Journal& journal) {
  std::string lines = api::journal_lines(journal, journal.read({}, 100));
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    std::string line = lines.substr(0, end);
    lines.erase(0, end + 1);
    Document document;
    const auto record = document.parse(line);
    require(record && record->object().find("number").integer() > 0, "a record is a line of JSON",
            line);
  }
}

}  // namespace

void fuzz_settings(std::string_view input) {
  const std::size_t end = input.find('\n');
  std::string first(input.substr(0, end));
  const std::string_view call =
      end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
  static std::unique_ptr<ControlledService> service;
  if (service == nullptr) service = std::make_unique<ControlledService>();
  Document document;
  if (const auto given = document.parse(first)) {
    try {
      if (given->object().find("fault")) {
        add_rule(given->object(), service->faults());
      } else if (given->object().find("assertions")) {
        std::string answer;
        Writer writer(answer);
        api::check_assertions(service->journal(), given->object(), writer);
      } else {
        service->journal().change(
            api::read_journal_settings(given->object(), service->journal().settings()));
      }
    } catch (const api::ControlError& error) {
      require(!error.sentence().empty() && error.status() >= 400, "a refusal says why");
    }
  }
  const std::size_t blank = call.find(' ');
  if (blank != std::string_view::npos) {
    service->call(api::find_operation(call.substr(0, blank)), std::string(call.substr(blank + 1)));
  }
  check_journal(service->journal());
  service.reset();
}

}  // namespace magneto::fuzz
