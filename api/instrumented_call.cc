#include "api/instrumented_call.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/messages/request_messages.h"
#include "storage/model/narrow.h"

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
    record_.accesses.clear();
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
    const std::uint32_t access = record_access(subject);
    if (record_.index.empty()) record_.index = subject.index();
    record_.is_scan |= subject.is_scan();
    std::string key = subject.known_key();
    if (key.empty() || key == "{}" || key.size() > kLongestKey) continue;
    record_.keys.push_back(
        {subject.table(), std::move(key), subject.writes() && !verdict_.leaves_out(i), access});
  }
}

// Finds the last access first: the members of a batch follow each other by table.
std::uint32_t InstrumentedCall::record_access(const Subject& subject) {
  const auto table = std::ranges::find(record_.tables, subject.table());
  JournalRecord::Access access{
      .table = storage::narrow<std::uint32_t>(table - record_.tables.begin()),
      .members = 1,
      .index = subject.index(),
      .form = subject.key_form(),
      .verb = subject.verb(),
      .reading = subject.reading(),
      .scans = subject.is_scan(),
      .partition_attributes = storage::narrow<std::uint8_t>(subject.partition_attributes())};
  if (table == record_.tables.end()) record_.tables.push_back(subject.table());
  for (std::size_t i = record_.accesses.size(); i-- > 0;) {
    JournalRecord::Access& known = record_.accesses[i];
    if (!known.is_like(access)) continue;
    ++known.members;
    return storage::narrow<std::uint32_t>(i);
  }
  record_.accesses.push_back(std::move(access));
  return storage::narrow<std::uint32_t>(record_.accesses.size() - 1);
}

void InstrumentedCall::record_uses() {
  if (record_.tables.size() > 1) record_.uses.resize(record_.tables.size());
  for (std::size_t i = 0; i < report_.size(); ++i) {
    const CallReport::Use use = report_.use(i);
    record_.read_units += use.read_units;
    record_.write_units += use.write_units;
    if (record_.uses.empty()) continue;
    const auto table = std::ranges::find(record_.tables, use.table);
    if (table == record_.tables.end()) continue;
    record_.uses[storage::narrow<std::size_t>(table - record_.tables.begin())] = {
        use.read_units, use.write_units, use.items_read, use.items_returned};
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
  record_uses();
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
