#include "api/service.h"

#include <absl/cleanup/cleanup.h>

#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>

#include "api/authorization/authorizer.h"
#include "api/capacity/metering.h"
#include "api/capacity/throughput_limiter.h"
#include "api/costs/cost_formats.h"
#include "api/insights/key_usage.h"
#include "api/instrumented_call.h"
#include "api/json/json_writer.h"
#include "api/messages/request_messages.h"
#include "api/request/parameters.h"
#include "api/request/request_tables.h"
#include "api/storage_refusal.h"
#include "api/validation/shape_checker.h"
#include "expressions/expression_error.h"

namespace magneto::api {
namespace {

int write_error_body(ErrorType type, std::string_view message, const ErrorMember& member,
                     std::string& response) {
  const ErrorInfo& info = error_info(type);
  response.clear();
  json::Writer writer(response);
  writer.begin_object();
  writer.key("__type");
  writer.string(info.name);
  if (!message.empty()) {
    // Captured facts 2, "Transactions": a failed condition that returns its item spells the member
    // so.
    const bool shows_item = type == ErrorType::kConditionalCheckFailed && !member.name.empty();
    writer.key(shows_item ? "Message" : info.member);
    writer.string(message);
  }
  if (!member.name.empty()) {
    writer.key(member.name);
    writer.raw() += member.value;
  }
  writer.end_object();
  return info.status;
}

int write_error_body(const ApiError& error, std::string& response) {
  return write_error_body(error.type(), error.message(), error.member(), response);
}

std::unique_ptr<ThroughputLimiter> make_limiter(storage::Databases& databases) {
  ThroughputLimiter::Servers servers;
  if (databases.main().is_shared()) servers = [&databases] { return databases.servers(); };
  return std::make_unique<ThroughputLimiter>(databases.main().clock(), std::move(servers));
}

}  // namespace

Service::Service(storage::Databases& databases, ServiceOptions options)
    : store_(databases),
      main_(databases.main()),
      databases_(databases, options.isolation, std::move(options.report_elsewhere)),
      log_(std::move(options.log)),
      limiter_(options.enforce_throughput ? make_limiter(databases) : nullptr),
      faults_(options.faults != nullptr ? *options.faults : Faults::none()),
      journal_(options.journal != nullptr ? *options.journal : Journal::none()),
      authorizer_(options.authorizer),
      job_context_(std::move(options.job_context)),
      deliveries_(options.deliveries) {}

Service::~Service() = default;

namespace {

void refuse_in_shared_store(const Operation& operation, json::Value input) {
  if (operation.needs_store_alone) fail_validation(messages::not_with_shared(operation.name));
  for (const std::string_view member : operation.members_of_store_alone) {
    if (Parameters(input).value(member)) fail_validation(messages::not_with_shared(member));
  }
}

}  // namespace

void log_fault_to_stderr(std::string_view request_id, std::string_view operation,
                         std::string_view what) {
  std::string line = "fault in ";
  line.append(operation).append(" (request ").append(request_id).append("): ").append(what);
  line += '\n';
  std::fputs(line.c_str(), stderr);
}

void Service::answer(const Operation* operation, const Caller& caller, std::string& body,
                     std::string& response, storage::Effort& effort, CallReport* report,
                     InstrumentedCall* watched) {
  // Until its check is done, a typical body takes 2 ns per byte; the slowest known bodies take 60
  // ns.
  constexpr std::uint64_t kStepsOfAByte = 4;
  effort.spend(kStepsOfAByte * body.size());
  thread_local json::Document document;
  // Released however the call ends, because the thread may be idle for a long time.
  const absl::Cleanup release = [] { document.release_large_buffers(); };
  const auto input = document.parse(body);
  if (!input && !(body.empty() && operation == nullptr)) fail_serialization({});
  if (operation == nullptr) throw ApiError(ErrorType::kUnknownOperation, {});
  if (!input->is_object()) fail_serialization({});
  if (operation->deserialize != nullptr) operation->deserialize(*input, body);
  const CheckedRequest checked = check_request(*input, operation->input, caller.profile);
  KeyUsage notes(insights_);
  const Metering metering(effort, limiter_.get(), report, &notes);
  RequestTables tables;
  Request request{.database = databases_.find(caller),
                  .databases = databases_,
                  .caller = caller,
                  .input = *input,
                  .output = response,
                  .effort = effort,
                  .metering = metering,
                  .report = report,
                  .layer = checked.layer,
                  .job_context = &job_context_,
                  .deliveries = deliveries_,
                  .tables = authorizer_ != nullptr ? &tables : nullptr};
  if (watched != nullptr || authorizer_ != nullptr) [[unlikely]] {
    admit(*operation, request, watched);
  }
  if (main_.is_shared()) [[unlikely]]
    refuse_in_shared_store(*operation, *input);
  try {
    operation->handle(request);
  } catch (const storage::NeedsWorker&) {
    throw;
  } catch (...) {
    notes.count();
    throw;
  }
  notes.count();
}

// Authorizes before the rules are asked: a caller without permission learns nothing from the
// request, and rules do not count it.
void Service::admit(const Operation& operation, const Request& request, InstrumentedCall* watched) {
  if (watched != nullptr) watched->look_at(request);
  if (authorizer_ != nullptr) {
    authorizer_->authorize(operation, request,
                           watched != nullptr ? &watched->decisions() : nullptr);
  }
  if (watched != nullptr) watched->begin(request);
}

int Service::call(const Operation* operation, const Caller& caller, std::string_view request_id,
                  std::string& body, std::string& response) {
  storage::Effort effort(storage::Effort::kUnlimited, &stopping_);
  const std::optional<int> status = try_call(operation, caller, request_id, body, response, effort);
  // Without a limit, only a server shutdown leaves a call undone.
  return status ? *status : write_fault(response);
}

std::optional<int> Service::try_call(const Operation* operation, const Caller& caller,
                                     std::string_view request_id, std::string& body,
                                     std::string& response, storage::Effort& effort,
                                     CallReport* report) {
  if (!faults_.is_on() && !journal_.is_on()) [[likely]] {
    if (authorizer_ == nullptr || report != nullptr) [[likely]] {
      return attempt(operation, caller, request_id, body, response, effort, report, nullptr);
    }
    CallReport own;
    return attempt(operation, caller, request_id, body, response, effort, &own, nullptr);
  }
  CallReport own;
  return attempt_watched(operation, caller, request_id, body, response, effort,
                         report != nullptr ? *report : own);
}

std::optional<int> Service::attempt_watched(const Operation* operation, const Caller& caller,
                                            std::string_view request_id, std::string& body,
                                            std::string& response, storage::Effort& effort,
                                            CallReport& report) {
  InstrumentedCall call(faults_, journal_, {operation, caller, request_id, body}, report);
  const std::optional<int> status =
      attempt(operation, caller, request_id, body, response, effort, &report, &call);
  if (!status) return std::nullopt;
  const int told = call.status_of(*status);
  call.finish(told, response);
  return told;
}

// The check comes after all reads, so that the process may be stopped for any time before it.
std::optional<int> Service::attempt(const Operation* operation, const Caller& caller,
                                    std::string_view request_id, std::string& body,
                                    std::string& response, storage::Effort& effort,
                                    CallReport* report, InstrumentedCall* watched) {
  const std::optional<int> status =
      answer_or_refuse(operation, caller, request_id, body, response, effort, report, watched);
  if (!status || store_.is_current()) [[likely]]
    return status;
  response.clear();
  return write_error_of(ApiError(ErrorType::kServiceUnavailable, messages::kStoreNotCurrent),
                        report, response);
}

std::optional<int> Service::answer_or_refuse(const Operation* operation, const Caller& caller,
                                             std::string_view request_id, std::string& body,
                                             std::string& response, storage::Effort& effort,
                                             CallReport* report, InstrumentedCall* watched) {
  response.clear();
  if (report != nullptr) report->begin();
  const std::string_view name = operation == nullptr ? "?" : operation->name;
  try {
    answer(operation, caller, body, response, effort, report, watched);
    return 200;
  } catch (const storage::NeedsWorker&) {
    return std::nullopt;
  } catch (const MissingTable& error) {
    databases_.record_missing(caller, error.table());
    return write_error_of(error, report, response);
  } catch (const ApiError& error) {
    return write_error_of(error, report, response);
  } catch (const expressions::ExpressionError& error) {
    // The callers of expressions add the parameter's name. The errors that arrive here concern the
    // request as a whole.
    return write_error_of(ApiError(ErrorType::kValidation, error.message()), report, response);
  } catch (const std::exception& error) {
    if (const auto refusal = refusal_of(error)) return write_error_of(*refusal, report, response);
    log_(request_id, name, error.what());
    if (report != nullptr) report->set_error(ErrorType::kInternalServerError);
    return write_fault(response);
  }
}

int Service::write_error_of(const ApiError& error, CallReport* report, std::string& response) {
  if (report != nullptr) report->set_error(error.type());
  return write_error_body(error, response);
}

void Service::forget_jobs() {
  if (job_context_.jobs == nullptr) return;
  job_context_.jobs->forget(job_context_.name_space, job_context_.life);
}

ServiceStatistics Service::statistics(std::size_t max_tables) const {
  ServiceStatistics found{.store = store_.statistics(max_tables)};
  if (limiter_ != nullptr) {
    found.throttled_reads = limiter_->throttle_count(UnitUse::kRead);
    found.throttled_writes = limiter_->throttle_count(UnitUse::kWrite);
  }
  return found;
}

void Service::write_insights(const InsightsQuery& query, json::Writer& writer) const {
  api::write_insights(store_, insights_, query, writer);
}

Service::CostText Service::report_costs(json::Object request) {
  const auto find_table = [this](const JournalRecord& record, std::string_view table) {
    Caller caller;
    caller.region = record.region;
    caller.access_key = record.access_key;
    return databases_.find(caller).find_table(table);
  };
  // Each report takes memory for all keys of a journal, so only one is made at a time.
  static std::mutex one_report;
  const std::lock_guard lock(one_report);
  const CostReport report = make_cost_report(journal_, read_cost_request(request), find_table);
  switch (report.request.format) {
    case CostFormat::kCsv:
      return {cost_csv(report), "text/csv; charset=utf-8"};
    case CostFormat::kMarkdown:
      return {cost_markdown(report), "text/markdown; charset=utf-8"};
    case CostFormat::kJson:
      break;
  }
  return {cost_json(report), "application/json"};
}

int Service::write_fault(std::string& response) {
  return write_error_body(ErrorType::kInternalServerError, messages::kFault, {}, response);
}

int Service::write_error(ErrorType type, std::string_view message, std::string& response) {
  return write_error_body(type, message, {}, response);
}

}  // namespace magneto::api
