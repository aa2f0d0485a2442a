#include "server/bulk/jobs/job_ledger.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/bulk/jobs/messages.h"
#include "server/formats/aws_manifest.h"

namespace magneto::server::bulk {
namespace {

using api::BulkJob;
using api::JobKind;
using api::JobOwner;
using api::JobStatus;

using Durability = storage::Notes::Durability;

constexpr const char* kNotes = "jobs/";
constexpr std::chrono::seconds kExchangeTime{1};

std::int64_t real_milliseconds() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::floor<std::chrono::milliseconds>(since).count();
}

std::string_view name_in(std::string_view arn) { return arn.substr(arn.rfind('/') + 1); }

std::string note_of(std::string_view job_name) {
  return std::string(kNotes).append(job_name).append(".json");
}
std::string wish_of(std::string_view job_name) {
  return std::string("cancelled-jobs/").append(job_name);
}
std::string_view job_of(std::string_view note) {
  note.remove_prefix(std::string_view(kNotes).size());
  return note.substr(0, note.rfind('.'));
}

}  // namespace

std::optional<JobRecord> JobLedger::read_note(std::string_view name, std::string text) {
  auto record = read_job_record(std::move(text));
  if (record && note_of(record->job.name) != name) return std::nullopt;
  return record;
}

JobLedger::JobLedger(std::shared_ptr<storage::Notes> notes, std::string folder,
                     std::string_view main_name_space, Warn warn, Servers servers)
    : notes_(std::move(notes)),
      folder_(std::move(folder)),
      main_(main_name_space),
      warn_(std::move(warn)),
      servers_(std::move(servers)) {
  if (notes_ != nullptr) load();
}

void JobLedger::load() {
  for (const std::string& name : notes_->names(kNotes)) {
    auto record = read_note(name, notes_->get(name).value_or(""));
    if (!record) {
      warn_(messages::kUnreadableJob(name));
      continue;
    }
    record->name_space = main_;
    // The digits of the name: later names must be greater.
    last_milliseconds_ = std::max<std::int64_t>(
        last_milliseconds_, std::strtoll(record->job.name.c_str(), nullptr, 10));
    if (!record->has_ended() && !record->job.manifest.empty()) {
      sealing_.push_back(record->job.name);
    } else if (!record->has_ended() && is_cut_off(*record)) {
      fail_cut_off(record->job);
      if (const std::string why = write(*record); !why.empty()) warn_(why);
    }
    records_.emplace(record->job.name, std::move(*record));
  }
  const std::lock_guard lock(mutex_);
  forget_oldest();
}

// Whether the server that ran the job is gone.
bool JobLedger::is_cut_off(const JobRecord& record) const {
  return !is_shared() || record.server == 0 ||
         (is_of_other_server(record) && servers_.has_left(record.server));
}

void JobLedger::follow_others() const {
  if (!is_shared()) return;
  for (const std::string& note : find_changed()) take_over(note);
}

// Forgets jobs without a note. Returns the notes of jobs that are new, or run on other servers.
std::vector<std::string> JobLedger::find_changed() const {
  std::vector<std::string> notes = notes_->names(kNotes);
  const std::lock_guard lock(mutex_);
  std::erase_if(records_, [&](const auto& one) {
    return is_of_other_server(one.second) && !std::ranges::binary_search(notes, note_of(one.first));
  });
  std::erase_if(notes, [this](const std::string& note) {
    const auto known = records_.find(job_of(note));
    return known != records_.end() &&
           (known->second.has_ended() || !is_of_other_server(known->second));
  });
  return notes;
}

void JobLedger::take_over(const std::string& note) const {
  auto record = read_note(note, notes_->get(note).value_or(""));
  if (!record || !is_of_other_server(*record)) return;
  record->name_space = main_;
  if (!record->has_ended() && is_cut_off(*record)) {
    fail_cut_off(record->job);
    if (const std::string why = write(*record); !why.empty()) warn_(why);
  }
  if (!record->has_ended() && notes_->get(wish_of(record->job.name))) {
    record->job.status = JobStatus::kCancelling;
  }
  const std::string name = record->job.name;
  const std::lock_guard lock(mutex_);
  records_.insert_or_assign(name, *std::move(record));
}

void JobLedger::exchange_with_others() {
  if (!is_shared()) return;
  std::vector<JobRecord> running;
  {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_exchange_) return;
    next_exchange_ = now + kExchangeTime;
    for (const auto& [name, record] : records_) {
      if (!record.has_ended() && !is_of_other_server(record)) running.push_back(record);
    }
  }
  for (JobRecord& record : running) {
    try {
      if (notes_->get(wish_of(record.job.name))) {
        const std::lock_guard lock(mutex_);
        const auto found = records_.find(record.job.name);
        if (found == records_.end() || found->second.has_ended()) continue;
        found->second.job.status = record.job.status = JobStatus::kCancelling;
      }
      if (const std::string why = write(record); !why.empty()) warn_(why);
    } catch (const storage::EngineError&) {
      // It is tried again.
    }
  }
}

bool JobLedger::is_kept(const JobRecord& record) const {
  return notes_ != nullptr && record.name_space == main_ && record.life == 0;
}

std::string JobLedger::errors_path(const JobRecord& record) const {
  if (!is_kept(record) || folder_.empty()) return "";
  std::error_code ignored;  // the writer of the file reports it
  std::filesystem::create_directories(folder_, ignored);
  return absl::StrCat(folder_, "/", record.job.name, ".errors");
}

std::string JobLedger::write(const JobRecord& record) const {
  if (!is_kept(record)) return {};
  try {
    notes_->put(note_of(record.job.name), job_record_text(record), Durability::kPower);
    return {};
  } catch (const storage::EngineError& error) {
    return messages::kUnwritableJob(error.what());
  }
}

void JobLedger::add(JobRecord& record) {
  record.server = servers_.own;
  {
    const std::lock_guard lock(mutex_);
    last_milliseconds_ = std::max(last_milliseconds_ + 1, real_milliseconds());
    record.begun = static_cast<double>(real_milliseconds()) / 1'000;
    record.job.name = formats::aws_export_name(last_milliseconds_);
    record.job.arn = record.job.table_arn;
    record.job.arn.append(api::arn_part(record.job.kind)).append(record.job.name);
  }
  if (const std::string why = write(record); !why.empty()) throw std::runtime_error(why);
  const std::lock_guard lock(mutex_);
  records_.emplace(record.job.name, record);
}

void JobLedger::note_sealing(const BulkJob& job) const {
  std::optional<JobRecord> record;
  {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(job.name);
    if (found == records_.end()) return;
    record = found->second;
  }
  record->job = job;
  if (const std::string why = write(*record); !why.empty()) throw std::runtime_error(why);
}

std::vector<JobRecord> JobLedger::sealing() const {
  std::vector<JobRecord> found;
  const std::lock_guard lock(mutex_);
  for (const std::string& name : sealing_) {
    const auto at = records_.find(name);
    if (at != records_.end() && !at->second.has_ended()) found.push_back(at->second);
  }
  return found;
}

void JobLedger::fail_cut_off(BulkJob& job) {
  job.status = JobStatus::kFailed;
  job.failure_code = kServerEnded;
  job.failure_message = messages::kProcessEnded;
  job.end_time = job.start_time;
  job.manifest.clear();
  job.items = 0;
  job.bytes = 0;
}

void JobLedger::note_progress(std::string_view name,
                              const std::function<void(BulkJob& job)>& change) {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(name);
  if (found != records_.end()) change(found->second.job);
}

void JobLedger::end(std::string_view name, const std::function<void(BulkJob& job)>& change) {
  JobRecord record;
  {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find(name);
    if (found == records_.end()) return;
    record = found->second;
  }
  change(record.job);
  // Writes to the disk first, so that a published state is never lost.
  if (const std::string why = write(record); !why.empty()) warn_(why);
  if (is_shared()) forget_wish(record.job.name);
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(name);
  if (found == records_.end()) {
    // The job was forgotten in the meantime.
    remove_record(record);
    return;
  }
  found->second = std::move(record);
  forget_oldest();
}

std::optional<BulkJob> JobLedger::cancel(const JobOwner& owner, JobKind kind,
                                         std::string_view arn) {
  follow_others();
  std::unique_lock lock(mutex_);
  const auto found = records_.find(name_in(arn));
  if (found == records_.end() || found->second.job.arn != arn || found->second.job.kind != kind ||
      !found->second.is_of(owner)) {
    return std::nullopt;
  }
  BulkJob& job = found->second.job;
  if (job.status != JobStatus::kInProgress) return job;
  job.status = JobStatus::kCancelling;
  BulkJob cancelled = job;
  const bool is_elsewhere = is_of_other_server(found->second);
  lock.unlock();
  if (is_elsewhere) notes_->put(wish_of(cancelled.name), "1\n", Durability::kProcess);
  return cancelled;
}

void JobLedger::forget_wish(std::string_view name) const {
  try {
    notes_->remove(wish_of(name), Durability::kProcess);
  } catch (const storage::EngineError&) {  // it is of no use to anybody
  }
}

bool JobLedger::is_cancelling(std::string_view name) {
  exchange_with_others();
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(name);
  return found != records_.end() && found->second.job.status == JobStatus::kCancelling;
}

bool JobLedger::has(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  return records_.find(name) != records_.end();
}

std::size_t JobLedger::running() const {
  follow_others();
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(records_, [](const auto& one) { return !one.second.has_ended(); }));
}

std::optional<JobRecord> JobLedger::find_token(const JobOwner& owner, JobKind kind,
                                               std::string_view token, double begun_after) const {
  follow_others();
  const std::lock_guard lock(mutex_);
  for (auto at = records_.rbegin(); at != records_.rend(); ++at) {
    const JobRecord& record = at->second;
    if (record.job.kind == kind && record.job.client_token == token && record.is_of(owner) &&
        record.begun > begun_after) {
      return record;
    }
  }
  return std::nullopt;
}

std::optional<BulkJob> JobLedger::find(const JobOwner& owner, JobKind kind,
                                       std::string_view arn) const {
  follow_others();
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(name_in(arn));
  if (found == records_.end() || found->second.job.arn != arn || found->second.job.kind != kind ||
      !found->second.is_of(owner)) {
    return std::nullopt;
  }
  return found->second.job;
}

std::vector<BulkJob> JobLedger::list(const JobOwner& owner, JobKind kind,
                                     std::string_view table_arn, std::string_view after,
                                     std::size_t limit, std::string_view table_id) const {
  follow_others();
  std::vector<BulkJob> jobs;
  const std::lock_guard lock(mutex_);
  auto at = after.empty() ? records_.end() : records_.lower_bound(after);
  while (at != records_.begin() && jobs.size() < limit) {
    const JobRecord& record = (--at)->second;
    if (record.job.kind == kind && record.is_of(owner) &&
        (table_arn.empty() || record.job.table_arn == table_arn) &&
        (table_id.empty() || record.job.table_id == table_id)) {
      jobs.push_back(record.job);
    }
  }
  return jobs;
}

JobLedger::Records::iterator JobLedger::erase(Records::iterator at) {
  remove_record(at->second);
  return records_.erase(at);
}

void JobLedger::remove_record(const JobRecord& record) const {
  if (!is_kept(record)) return;
  std::error_code ignored;
  if (!folder_.empty()) {
    std::filesystem::remove(absl::StrCat(folder_, "/", record.job.name, ".errors"), ignored);
  }
  try {
    notes_->remove(note_of(record.job.name), Durability::kProcess);
  } catch (const storage::EngineError&) {  // the next start forgets it again
  }
}

void JobLedger::forget(std::string_view name_space, std::uint64_t life) {
  const std::lock_guard lock(mutex_);
  for (auto at = records_.begin(); at != records_.end();) {
    const JobRecord& record = at->second;
    const bool goes = record.name_space == name_space && record.life == life;
    at = goes ? erase(at) : std::next(at);
  }
}

void JobLedger::forget_oldest() {
  std::size_t ended = 0;
  std::size_t bytes = 0;
  for (const auto& [name, record] : records_) {
    if (!record.has_ended()) continue;
    ++ended;
    bytes += record.job.request.size();
  }
  for (auto at = records_.begin();
       at != records_.end() && (ended > kMostEnded || bytes > kMostEndedBytes);) {
    if (!at->second.has_ended()) {
      ++at;
      continue;
    }
    --ended;
    bytes -= at->second.job.request.size();
    at = erase(at);
  }
}

}  // namespace magneto::server::bulk
