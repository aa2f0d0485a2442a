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

// What happened since the start, and how things stand.
struct ServiceStatistics {
  storage::StoreStatistics store;
  std::uint64_t throttled_reads = 0;  // requests, or members of one, that met a lack of units
  std::uint64_t throttled_writes = 0;
};

// Takes note of a fault: a failure of the store or a bug, not an error of the request. Called on
// the thread of the request, so it must be thread-safe.
using FaultLog = std::function<void(std::string_view request_id, std::string_view operation,
                                    std::string_view what)>;

// Writes one line to standard error.
void log_fault_to_stderr(std::string_view request_id, std::string_view operation,
                         std::string_view what);

struct ServiceOptions {
  FaultLog log = log_fault_to_stderr;
  // Hold tables, global indexes and partition keys to throughput (capacity/throughput_limiter.h).
  bool enforce_throughput = false;
  Isolation isolation = Isolation::kNone;
  // Told, in a sentence, of requests for a table that others have but not their caller; from any
  // thread, and as often as clients bring it about. Empty: nobody looks.
  ReportElsewhere report_elsewhere;
  // Both are to outlive the Service; nullptr: there is none.
  Faults* faults = nullptr;
  Journal* journal = nullptr;
  // What holds verified callers to policies, to outlive the Service; nullptr: nothing does.
  Authorizer* authorizer = nullptr;
  JobContext job_context{};
  Deliveries* deliveries = nullptr;  // to outlive the Service; nullptr: changes are sent nowhere
};

class WatchedCall;

// The protocol without HTTP: a request body in, a response body and status out. Thread-safe: one
// Service serves all threads.
class Service {
 public:
  explicit Service(storage::Databases& databases, ServiceOptions options = {});
  ~Service();

  // Answers one request. `body` is the JSON text (its capacity may grow). Replaces `response` with
  // the response body and returns the HTTP status. Never throws: faults become InternalServerError
  // and are logged with `request_id`. `operation` as found by find_operation; nullptr answers
  // UnknownOperationException.
  int call(const Operation* operation, const Caller& caller, std::string_view request_id,
           std::string& body, std::string& response);

  // As above within the limits of `effort`. nullopt when the call needs a worker: nothing has been
  // changed, and it is to be made again there, with the same body. `report` may be nullptr.
  std::optional<int> try_call(const Operation* operation, const Caller& caller,
                              std::string_view request_id, std::string& body, std::string& response,
                              storage::Effort& effort, CallReport* report = nullptr);

  // Long calls are to end as soon as they rightly can: pages at their next item. Calls made after
  // it are answered too, but in short pages.
  void stop() { stopping_.store(true, std::memory_order_relaxed); }
  // For the Efforts that are given to try_call; lives as long as the Service.
  const std::atomic<bool>& stopping() const { return stopping_; }

  // Exports and imports that have ended are forgotten.
  void forget_jobs();

  // Whether somebody wants to know Caller::address.
  bool wants_addresses() const { return authorizer_ != nullptr || journal_.is_on(); }

  // Whether a writing operation called now would wait for the disk.
  bool writes_wait() const { return main_.commit_waits(); }

  // Both may wait for the disk, so never on an I/O thread. At most `max_tables` tables singly.
  ServiceStatistics statistics(std::size_t max_tables) const;
  // Why writes that add data are refused now, in words for a user; empty: they are taken.
  std::string describe_refusal() { return store_.describe_refusal(); }

  // Data lies in memory, and ends with the process.
  bool is_in_memory() const { return !main_.is_durable(); }

  // Which keys are used most, of tables and indexes with contributor insights: one JSON object.
  void write_insights(const InsightsQuery& query, json::Writer& writer) const;
  // Counts them anew from now on.
  void clear_insights() { insights_.clear(); }

  // The body of an error that arises before or outside an operation (authorization, body size). An
  // empty message is left out.
  static int write_error(ErrorType type, std::string_view message, std::string& response);
  // That of a fault; nothing is logged.
  static int write_fault(std::string& response);

 private:
  // `watched`: nullptr while all dials are off.
  std::optional<int> attempt(const Operation* operation, const Caller& caller,
                             std::string_view request_id, std::string& body, std::string& response,
                             storage::Effort& effort, CallReport* report, WatchedCall* watched);
  std::optional<int> attempt_watched(const Operation* operation, const Caller& caller,
                                     std::string_view request_id, std::string& body,
                                     std::string& response, storage::Effort& effort,
                                     CallReport& report);
  void answer(const Operation* operation, const Caller& caller, std::string& body,
              std::string& response, storage::Effort& effort, CallReport* report,
              WatchedCall* watched);
  void admit(const Operation& operation, const Request& request, WatchedCall* watched);
  static int write_error_of(const ApiError& error, CallReport* report, std::string& response);

  storage::Databases& store_;
  storage::Database& main_;
  CallerDatabases databases_;
  const FaultLog log_;
  const std::unique_ptr<ThroughputLimiter> limiter_;  // nullptr: throughput is not enforced
  Insights insights_;
  Faults& faults_;
  Journal& journal_;
  Authorizer* const authorizer_;  // nullptr: whoever is let in may do everything
  const JobContext job_context_;
  Deliveries* const deliveries_;
  std::atomic<bool> stopping_{false};
};

}  // namespace magneto::api
