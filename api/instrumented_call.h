#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call_report.h"
#include "api/faults/faults.h"
#include "api/journal/journal.h"
#include "api/operation.h"
#include "api/subjects/subject.h"

namespace magneto::api {

// One attempt to make a call while a control setting is on: checks the fault rules before the
// handler, and writes the journal after it.
class InstrumentedCall {
 public:
  struct Call {
    const Operation* operation;  // nullptr: there is no operation of that name
    const Caller& caller;
    std::string_view request_id;
    const std::string& body;
  };

  // All arguments must outlive this object.
  InstrumentedCall(Faults& faults, Journal& journal, const Call& call, CallReport& report);

  // Finds the subjects of the request.
  void look_at(const Request& request);
  std::vector<access::Decision>& decisions() { return record_.decisions; }
  // Call this after look_at() and before the handler. Throws the ApiError of a rule, or
  // NeedsWorker.
  void begin(const Request& request);

  // The HTTP status of an answer whose own status is `status`.
  int status_of(int status) const;
  // Called after the last attempt.
  void finish(int status, std::string_view response);

 private:
  void record_subjects(std::span<const Subject> subjects);
  std::uint32_t record_access(const Subject& subject);  // returns its place
  void record_uses();

  Faults& faults_;
  Journal& journal_;
  const Call call_;
  CallReport& report_;
  FaultVerdict& verdict_;
  JournalRecord record_;
  std::vector<Subject> subjects_;
  bool is_valid_json_ = false;
};

}  // namespace magneto::api
