#include "server/bulk/jobs/job_record.h"

#include <array>
#include <string_view>
#include <utility>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "server/system/utf8.h"

namespace magneto::server::bulk {
namespace {

using api::BulkJob;
using api::JobKind;
using api::JobStatus;

using Text = std::pair<std::string_view, std::string BulkJob::*>;
constexpr std::array<Text, 10> kTexts{{
    {"arn", &BulkJob::arn},
    {"name", &BulkJob::name},
    {"tableName", &BulkJob::table_name},
    {"tableArn", &BulkJob::table_arn},
    {"tableId", &BulkJob::table_id},
    {"clientToken", &BulkJob::client_token},
    {"request", &BulkJob::request},
    {"failureCode", &BulkJob::failure_code},
    {"failureMessage", &BulkJob::failure_message},
    {"manifest", &BulkJob::manifest},
}};
using Count = std::pair<std::string_view, std::int64_t BulkJob::*>;
constexpr std::array<Count, 4> kCounts{{
    {"items", &BulkJob::items},
    {"errors", &BulkJob::errors},
    {"bytes", &BulkJob::bytes},
    {"totalBytes", &BulkJob::total_bytes},
}};
using Time = std::pair<std::string_view, double BulkJob::*>;
constexpr std::array<Time, 2> kTimes{{
    {"startTime", &BulkJob::start_time},
    {"endTime", &BulkJob::end_time},
}};
constexpr std::array<std::string_view, 6> kStatuses{
    "inProgress", "completed", "failed", "completedWithErrors", "cancelling", "cancelled"};
constexpr std::array<std::string_view, 3> kKinds{"export", "import", "put"};

// The enum value with this name; nullopt if there is none.
template <typename Enum, std::size_t kCount>
std::optional<Enum> named(const std::array<std::string_view, kCount>& names,
                          std::string_view name) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string job_record_text(const JobRecord& record) {
  const BulkJob& job = record.job;
  std::string text;
  api::json::Writer writer(text);
  writer.begin_object();
  writer.text("kind", kKinds[static_cast<std::size_t>(job.kind)]);
  writer.text("status", kStatuses[static_cast<std::size_t>(job.status)]);
  writer.text("database", record.database);
  writer.key("begun");
  writer.time(record.begun);
  if (record.server != 0) writer.integer("server", record.server);
  // The texts may contain messages of other systems. One text that is not valid in JSON would lose
  // the whole record.
  for (const auto& [name, member] : kTexts) writer.text(name, system::to_valid_utf8(job.*member));
  for (const auto& [name, member] : kCounts) {
    writer.integer(name, job.*member);
  }
  for (const auto& [name, member] : kTimes) {
    writer.key(name);
    writer.time(job.*member);
  }
  writer.key("exportTime");
  writer.number(job.export_time);  // including its microseconds
  writer.end_object();
  text += '\n';
  return text;
}

std::optional<JobRecord> read_job_record(std::string text) {
  api::json::Document document;
  text = system::to_valid_utf8(text);
  const auto parsed = document.parse(text);
  if (!parsed || !parsed->is_object()) return std::nullopt;
  const api::json::Object members = parsed->object();
  JobRecord record;
  BulkJob& job = record.job;
  const auto kind = named<JobKind>(kKinds, members.find("kind").string());
  if (!kind) return std::nullopt;
  job.kind = *kind;
  job.status =
      named<JobStatus>(kStatuses, members.find("status").string()).value_or(JobStatus::kInProgress);
  record.database = members.find("database").string();
  record.begun = members.find("begun").number();
  record.server = members.find("server").integer().value_or(0);
  for (const auto& [name, member] : kTexts) job.*member = members.find(name).string();
  for (const auto& [name, member] : kCounts) {
    job.*member = members.find(name).integer().value_or(0);
  }
  for (const auto& [name, member] : kTimes) job.*member = members.find(name).number();
  job.export_time = members.find("exportTime").number();
  if (job.name.empty() || job.arn.empty()) return std::nullopt;
  return record;
}

}  // namespace magneto::server::bulk
