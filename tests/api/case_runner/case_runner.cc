#include "tests/api/case_runner/case_runner.h"

#include <algorithm>
#include <chrono>
#include <regex>
#include <set>
#include <thread>

#include "api/json/json_writer.h"
#include "storage/database_store.h"
#include "tests/support/conflicting_engine.h"

namespace magneto::api {
namespace {

constexpr std::size_t kShown = 2'000;  // characters of a request or answer in a failure

const std::set<std::string, std::less<>> kOfStreams = {"DescribeStream", "GetRecords",
                                                       "GetShardIterator", "ListStreams"};

std::string cut(const std::string& text) {
  return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

// "${name}" with its quotes becomes the saved JSON text.
std::string with_saved(std::string request, const SavedTexts& saved) {
  for (const auto& [name, text] : saved) replace_all(request, "\"${" + name + "}\"", text);
  return request;
}

// ${now+60} becomes a second: a number of seconds after, or before, `now`.
std::string with_times(const std::string& text, std::int64_t now) {
  static const std::regex kTime(R"(\$\{now([+-]\d+)?\})");
  if (text.find("${now") == std::string::npos) return text;
  std::string out;
  auto from = text.cbegin();
  std::smatch match;
  while (std::regex_search(from, text.cend(), match, kTime)) {
    out.append(from, match[0].first);
    out += std::to_string(now + (match[1].matched ? std::stoll(match[1]) : 0));
    from = match[0].second;
  }
  out.append(from, text.cend());
  return out;
}

}  // namespace

CaseRunner::CaseRunner(storage::DatabaseOptions options, bool conflicts)
    : options_(std::move(options)), conflicts_(conflicts) {}

std::string CaseRunner::complete(const std::string& text) const {
  return with_times(with_saved(text, saved_), now_);
}

void CaseRunner::reopen() {
  servers_.clear();
  servers_.push_back(open());
  if (options_.store && options_.store->shared) servers_.push_back(open());
}

CaseRunner::Server CaseRunner::open() {
  Server server;
  server.databases = conflicts_ ? storage::Databases::open(
                                      options_, clock_,
                                      std::make_unique<storage::ConflictingEngine>(
                                          storage::open_engine_for(options_), conflict_count_))
                                : storage::Databases::open(options_, clock_);
  ServiceOptions options;
  options.log = [this](std::string_view, std::string_view, std::string_view what) {
    fault_ = what;
  };
  options.enforce_throughput = enforces_throughput_;
  options.isolation = isolation_;
  options.job_context.jobs = &jobs_;
  server.service = std::make_unique<Service>(*server.databases, std::move(options));
  return server;
}

void CaseRunner::settle() {
  for (const Server& server : servers_) server.databases->main().settle();
}

// For a moment after a server has joined, the numbers of writes lead the clock.
void CaseRunner::wait_for_streams() {
  if (servers_.size() == 1) return;
  constexpr std::chrono::milliseconds kShort(1);
  const auto statistics_of = [](const Server& server) {
    return *server.databases->statistics(0).engine.shared;
  };
  std::chrono::nanoseconds lead{0};
  for (const Server& server : servers_) lead = std::max(lead, statistics_of(server).clock_lead);
  const auto end = storage::Clock::real_now() + lead + kShort;
  for (const Server& server : servers_) {
    while (storage::Clock::real_now() - statistics_of(server).settled_age < end) {
      std::this_thread::sleep_for(kShort);
    }
  }
}

std::vector<std::string> CaseRunner::run(const CaseFile& file) {
  enforces_throughput_ = file.enforces_throughput;
  isolation_ = file.isolation;
  jobs_.forget({}, 0);
  reopen();
  std::vector<std::string> failures;
  for (const CaseStep& step : file.steps) {
    fault_.clear();
    std::string failure = run_step(step);
    if (is_refused_) break;
    if (!failure.empty()) {
      failures.push_back(file.path + ":" + std::to_string(step.line) + ": " + step.operation + " " +
                         cut(step.request) + "\n" + failure +
                         (fault_.empty() ? "" : "\n    fault: " + fault_));
    }
  }
  return failures;
}

std::string CaseRunner::run_step(const CaseStep& step) {
  switch (step.kind) {
    case CaseStep::Kind::kAdvance:
      clock_.advance(std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::duration<double>(step.seconds)));
      return "";
    case CaseStep::Kind::kFreeze:
      clock_.freeze();
      now_ = static_cast<std::int64_t>(clock_.epoch_seconds());
      return "";
    case CaseStep::Kind::kSettle:
      settle();
      return "";
    case CaseStep::Kind::kReopen:
      if (servers_.front().databases->main().is_durable()) reopen();
      return "";
    case CaseStep::Kind::kCaller:
      region_ = step.region;
      account_ = step.account;
      access_key_ = step.access_key;
      return "";
    case CaseStep::Kind::kCall:
      break;
  }
  if (!step.repeated) return call(step, complete(step.request));
  for (std::int64_t i = step.first; i <= step.last; ++i) {
    std::string request = complete(step.request);
    replace_all(request, "$i", std::to_string(i));
    std::string failure = call(step, std::move(request));
    if (!failure.empty()) return "  with i = " + std::to_string(i) + "\n" + failure;
  }
  return "";
}

std::string CaseRunner::call(const CaseStep& step, std::string request) {
  std::string response;
  Caller caller;
  caller.region = region_;
  caller.account = account_;
  caller.access_key = access_key_;
  if (kOfStreams.contains(step.operation)) wait_for_streams();
  const Server& server = servers_[next_++ % servers_.size()];
  const int status =
      server.service->call(find_operation(step.operation), caller, "case", request, response);
  is_refused_ = is_refused_ || response.find("(--shared)") != std::string::npos;
  if (is_refused_) return "";
  return step.error.empty() ? judge_json(step, status, response)
                            : judge_error(step, status, response);
}

std::string CaseRunner::judge_json(const CaseStep& step, int status, const std::string& response) {
  const std::string line = "  line " + std::to_string(step.expected_line) + " ";
  if (status != step.status) {
    return line + "expects status " + std::to_string(step.status) + "\n    actual   " +
           std::to_string(status) + " " + cut(response);
  }
  if (step.expected_json == "<empty>") {
    return response.empty() ? "" : line + "expects no body\n    actual   " + cut(response);
  }
  std::string expected_text = complete(step.expected_json);
  std::string actual_text = response;
  json::Document expected_document;
  json::Document actual_document;
  const auto expected = expected_document.parse(expected_text);
  if (!expected) return line + "expects what is not JSON: " + cut(step.expected_json);
  const auto actual = actual_document.parse(actual_text);
  if (!actual) return line + "answer is not JSON: " + cut(response);
  const std::string difference = mismatch(*expected, *actual, step.contains, saved_);
  return difference.empty()
             ? ""
             : line + "differs " + cut(difference) + "\n    whole    " + cut(response);
}

std::string CaseRunner::judge_error(const CaseStep& step, int status, const std::string& response) {
  std::string expected = "  line " + std::to_string(step.expected_line) + " expects " +
                         std::to_string(step.status) + " " + step.error +
                         (step.contains ? " with " : ": ") + cut(step.message) + "\n    actual   " +
                         std::to_string(status) + " " + cut(response);
  if (status != step.status) return expected;
  std::string text = response;
  json::Document document;
  const auto body = document.parse(text);
  if (!body || !body->is_object()) return expected;
  const json::Value type = body->object().find("__type");
  if (!type || !type.string().ends_with("#" + step.error)) return expected;
  json::Value message = body->object().find("message");
  if (!message) message = body->object().find("Message");
  const std::string_view actual = message ? message.string() : std::string_view();
  const bool good =
      step.contains ? actual.find(step.message) != std::string_view::npos : actual == step.message;
  return good ? "" : expected;
}

}  // namespace magneto::api
