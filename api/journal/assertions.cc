#include "api/journal/assertions.h"

#include <limits>

#include "api/control_error.h"
#include "api/journal/assertion.h"
#include "api/json/strict_object.h"
#include "api/messages/control_messages.h"

namespace magneto::api {
namespace {

// The limit for one failure; its sentence gives the number of records.
constexpr std::size_t kMaxNumbers = 100;
// The limit for one assertion.
constexpr std::size_t kMaxFailures = 100;

void write_failure(json::Value assertion, const AssertionFailure& failure, json::Writer& writer) {
  writer.begin_object();
  writer.key("assertion");
  if (assertion) {
    json::append_compact(assertion, writer.raw());
  } else {
    writer.null();
  }
  writer.text("sentence", failure.sentence);
  writer.key("records");
  writer.begin_array();
  std::size_t count = 0;
  for (const std::uint64_t number : failure.records) {
    if (count++ < kMaxNumbers) writer.integer(static_cast<std::int64_t>(number));
  }
  writer.end_array();
  writer.end_object();
}

}  // namespace

void check_assertions(const Journal& journal, json::Object request, json::Writer& writer) {
  const json::StrictObject members(request, "the request", kAssertionRequest);
  const auto after = members.whole("after", 0, std::numeric_limits<std::int64_t>::max());
  const json::Array assertions = members.value("assertions").array();
  if (assertions.empty() || assertions.size() > kMaxAssertions) {
    throw ControlError(messages::not_a_list("assertions", kMaxAssertions));
  }
  const Journal::Page page = journal.read({.after = static_cast<std::uint64_t>(after.value_or(0))},
                                          std::numeric_limits<std::size_t>::max());
  std::string failures;
  json::Writer failure_writer(failures);
  bool passed = true;
  failure_writer.begin_array();
  const auto fail = [&](json::Value assertion, const AssertionFailure& failure) {
    passed = false;
    write_failure(assertion, failure, failure_writer);
  };
  if (page.dropped != 0) fail({}, {messages::records_dropped(page.dropped), {}});
  for (const json::Value assertion : assertions) {
    const json::StrictObject asked(assertion, "the assertion", assertion_members());
    std::size_t count = 0;
    for (const AssertionFailure& failure : check_assertion(asked, page.records)) {
      if (count++ < kMaxFailures) fail(assertion, failure);
    }
  }
  failure_writer.end_array();
  writer.begin_object();
  writer.key("passed");
  writer.boolean(passed);
  writer.key("failures");
  writer.raw() += failures;
  writer.end_object();
}

}  // namespace magneto::api
