#include "api/instrumented_call.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/messages/request_messages.h"

namespace magneto::api {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Removes line breaks, so that each record is one line. A JSON text has none inside strings.
std::string kept_body(std::string_view body) {
  std::string kept;
  if (body.size() > Journal::kMaxBody) return kept;
  kept.reserve(body.size());
  for (const char byte : body) {
    if (byte != '\n' && byte != '\r') kept += byte;
  }
  return kept;
}

std::string_view name_of(ErrorType type) {
  const std::string_view name = error_info(type).name;
  return name.substr(name.find('#') + 1);
}

}  // namespace

InstrumentedCall::InstrumentedCall(Faults& faults, Journal& journal, const Call& call,
                                   CallReport& report)
    : faults_(faults),
      journal_(journal),
      call_(call),
      report_(report),
      verdict_(report.need_verdict()) {
  if (verdict_.begun == SteadyClock::time_point()) verdict_.begun = SteadyClock::now();
  record_.at = std::chrono::system_clock::now();
}

void InstrumentedCall::look_at(const Request& request) {
  is_valid_json_ = true;
  subjects_ = subjects_of(*call_.operation, request);
  if (journal_.is_on()) record_subjects(subjects_);
}

void InstrumentedCall::begin(const Request& request) {
  if (faults_.is_on()) {
    faults_.decide({*call_.operation, call_.caller.access_key, subjects_, request.effort},
                   verdict_);
  }
  if (journal_.is_on() && verdict_.left_out.any()) {
    record_.keys.clear();
    record_subjects(subjects_);
  }
  record_.was_kept = verdict_.error || verdict_.cut == FaultVerdict::Cut::kBefore;
  if (verdict_.error) throw ApiError(*verdict_.error);
  if (verdict_.cut == FaultVerdict::Cut::kBefore) {
    throw ApiError(ErrorType::kInternalServerError, messages::kFault);
  }
}

void InstrumentedCall::record_subjects(std::span<const Subject> subjects) {
  constexpr std::size_t kLongestKey = 16 << 10;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const Subject& subject = subjects[i];
    if (subject.table().empty()) continue;
    if (std::ranges::find(record_.tables, subject.table()) == record_.tables.end()) {
      record_.tables.push_back(subject.table());
    }
    if (record_.index.empty()) record_.index = subject.index();
    record_.is_scan |= subject.is_scan();
    std::string key = subject.known_key();
    if (key.empty() || key == "{}" || key.size() > kLongestKey) continue;
    record_.keys.push_back(
        {subject.table(), std::move(key), subject.writes() && !verdict_.leaves_out(i)});
  }
}

int InstrumentedCall::status_of(int status) const {
  return verdict_.error && verdict_.status != 0 ? verdict_.status : status;
}

void InstrumentedCall::finish(int status, std::string_view response) {
  if (!journal_.is_on()) return;
  if (call_.operation != nullptr) record_.operation = call_.operation->name;
  record_.access_key = call_.caller.access_key;
  record_.region = call_.caller.region;
  record_.address = call_.caller.address;
  const bool is_cut = verdict_.cut != FaultVerdict::Cut::kNone;
  record_.status = is_cut ? 0 : status;
  if (report_.error()) record_.error = name_of(*report_.error());
  const std::chrono::duration<double, std::milli> taken =
      SteadyClock::now() - verdict_.begun + verdict_.delay;
  record_.milliseconds = taken.count();
  for (std::size_t i = 0; i < report_.size(); ++i) {
    record_.read_units += report_.use(i).read_units;
    record_.write_units += report_.use(i).write_units;
  }
  record_.plan = report_.plan();
  record_.request_bytes = call_.body.size();
  record_.response_bytes = response.size();
  record_.request_id = call_.request_id;
  record_.faults = verdict_.rules;
  if (journal_.keeps_bodies() && is_valid_json_) {
    record_.request = kept_body(call_.body);
    record_.response = kept_body(response);
  }
  journal_.append(std::move(record_));
}

}  // namespace magneto::api
