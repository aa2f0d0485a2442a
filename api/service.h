#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/call_report.h"
#include "api/caller_databases.h"
#include "api/error.h"
#include "api/faults/faults.h"
#include "api/insights/insights.h"
#include "api/insights/insights_report.h"
#include "api/jobs/bulk_jobs.h"
#include "api/journal/journal.h"
#include "api/operation.h"
#include "storage/databases.h"
#include "storage/model/effort.h"
#include "storage/table/memory_budget.h"

namespace magneto::api {

class Authorizer;
class ThroughputLimiter;

// Counts since the start, and the current state.
struct ServiceStatistics {
  storage::StoreStatistics store;
  std::uint64_t throttled_reads = 0;  // requests, or members of one, that lacked units
  std::uint64_t throttled_writes = 0;
};

// Logs a fault: a failure of the store or a bug, not an error of the request. Called on the
// request's thread, so it must be thread-safe.
using FaultLog = std::function<void(std::string_view request_id, std::string_view operation,
                                    std::string_view what)>;

// Writes one line to standard error.
void log_fault_to_stderr(std::string_view request_id, std::string_view operation,
                         std::string_view what);

struct ServiceOptions {
  FaultLog log = log_fault_to_stderr;
  // Enforce the throughput of tables, global indexes and partition keys
  // (capacity/throughput_limiter.h).
  bool enforce_throughput = false;
  Isolation isolation = Isolation::kNone;
  // Receives a sentence when a caller requests a table that only other callers have. Called from
  // any thread, as often as clients cause it. Empty: no report, no search.
  ReportElsewhere report_elsewhere;
  // Both must outlive the Service; nullptr if there is none.
  Faults* faults = nullptr;
  Journal* journal = nullptr;
  // Checks verified callers against policies; must outlive the Service. nullptr: no checks.
  Authorizer* authorizer = nullptr;
  JobContext job_context{};
  Deliveries* deliveries = nullptr;  // must outlive the Service; nullptr: changes are not sent
};

class InstrumentedCall;

// The protocol without HTTP: takes a request body and returns a response body and a status.
// Thread-safe: one Service serves all threads.
class Service {
 public:
  explicit Service(storage::Databases& databases, ServiceOptions options = {});
  ~Service();

  // Answers one request. `operation` comes from find_operation; nullptr yields
  // UnknownOperationException. `body` is the JSON text (its capacity may grow). Replaces `response`
  // with the response body and returns the HTTP status. Never throws: faults become
  // InternalServerError and are logged with `request_id`.
  int call(const Operation* operation, const Caller& caller, std::string_view request_id,
           std::string& body, std::string& response);

  // Like call(), but within the limits of `effort`. nullopt if the call needs a worker: then
  // nothing has been changed, and the caller must repeat the call there with the same body.
  // `report` may be nullptr.
  std::optional<int> try_call(const Operation* operation, const Caller& caller,
                              std::string_view request_id, std::string& body, std::string& response,
                              storage::Effort& effort, CallReport* report = nullptr);

  // Makes long calls end as soon as they correctly can: pages end at their next item. Later calls
  // are still answered, but with short pages.
  void stop() { stopping_.store(true, std::memory_order_relaxed); }
  // For the Efforts passed to try_call; lives as long as the Service.
  const std::atomic<bool>& stopping() const { return stopping_; }

  // Forgets exports and imports that have ended.
  void forget_jobs();

  // Whether the authorizer or the journal uses Caller::address.
  bool wants_addresses() const { return authorizer_ != nullptr || journal_.is_on(); }

  // Whether a writing operation called now would wait for the disk.
  bool writes_wait() const { return main_.commit_waits(); }

  // Both functions below may wait for the disk, so never call them on an I/O thread. At most
  // `max_tables` tables are listed individually.
  ServiceStatistics statistics(std::size_t max_tables) const;
  // Why writes that add data are refused now, as a text for users; empty if they are accepted.
  std::string describe_refusal() { return store_.describe_refusal(); }

  // Data lies only in memory and is lost when the process ends.
  bool is_in_memory() const { return !main_.is_durable(); }

  // The most used keys of tables and indexes with contributor insights, as one JSON object.
  void write_insights(const InsightsQuery& query, json::Writer& writer) const;
  // The costs of the requests in the journal (api/costs): the report's text and its content type, a
  // constant. Throws ControlError.
  struct CostText {
    std::string text;
    std::string_view content_type;
  };
  CostText report_costs(json::Object request);
  // Resets these counts.
  void clear_insights() { insights_.clear(); }

  // Writes the body of an error that occurs before or outside an operation (authorization, body
  // size). An empty message is left out.
  static int write_error(ErrorType type, std::string_view message, std::string& response);
  // Writes the body of a fault; logs nothing.
  static int write_fault(std::string& response);

 private:
  // `watched`: nullptr while all control settings are off.
  std::optional<int> attempt(const Operation* operation, const Caller& caller,
                             std::string_view request_id, std::string& body, std::string& response,
                             storage::Effort& effort, CallReport* report,
                             InstrumentedCall* watched);
  std::optional<int> answer_or_refuse(const Operation* operation, const Caller& caller,
                                      std::string_view request_id, std::string& body,
                                      std::string& response, storage::Effort& effort,
                                      CallReport* report, InstrumentedCall* watched);
  std::optional<int> attempt_watched(const Operation* operation, const Caller& caller,
                                     std::string_view request_id, std::string& body,
                                     std::string& response, storage::Effort& effort,
                                     CallReport& report);
  void answer(const Operation* operation, const Caller& caller, std::string& body,
              std::string& response, storage::Effort& effort, CallReport* report,
              InstrumentedCall* watched);
  void admit(const Operation& operation, const Request& request, InstrumentedCall* watched);
  static int write_error_of(const ApiError& error, CallReport* report, std::string& response);

  storage::Databases& store_;
  storage::Database& main_;
  CallerDatabases databases_;
  const FaultLog log_;
  const std::unique_ptr<ThroughputLimiter> limiter_;  // nullptr: throughput is not enforced
  Insights insights_;
  Faults& faults_;
  Journal& journal_;
  Authorizer* const authorizer_;  // nullptr: every admitted caller may do everything
  const JobContext job_context_;
  Deliveries* const deliveries_;
  std::atomic<bool> stopping_{false};
};

}  // namespace magneto::api
