#include "server/tools/replay/replay_run.h"

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "server/formats/byte_source.h"
#include "server/formats/messages.h"
#include "server/formats/record_blocks.h"
#include "server/tools/replay/answer_difference.h"
#include "server/tools/replay/messages.h"
#include "server/tools/replay/recorded_call.h"
#include "server/tools/replay/renamed_values.h"

namespace magneto::server::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOfACall = 5;  // the most differences shown for one answer

// Decides when to send each request.
class Pace {
 public:
  explicit Pace(double speed) : speed_(speed) {}

  void wait(const RecordedCall& call) {
    if (speed_ <= 0 || !call.at) return;
    if (!first_) first_ = *call.at;
    const std::chrono::duration<double, std::milli> since = (*call.at - *first_) / speed_;
    std::this_thread::sleep_until(begin_ + std::chrono::duration_cast<Clock::duration>(since));
  }

 private:
  const double speed_;
  const Clock::time_point begin_ = Clock::now();
  std::optional<std::chrono::milliseconds> first_;
};

class Replay {
 public:
  Replay(const ReplayOptions& options, client::Endpoint& endpoint, const ReplayRun::Tell& tell)
      : options_(options), endpoint_(endpoint), tell_(tell), pace_(options.speed) {}

  void take(const RecordedCall& call) {
    if (call.was_kept) {
      ++totals_.kept_from_running;
    } else if (!call.request || call.operation.empty()) {
      ++totals_.without_body;
    } else {
      send(call);
    }
  }

  const ReplayTotals& totals() const { return totals_; }

 private:
  void send(const RecordedCall& call) {
    pace_.wait(call);
    std::string request = names_.rename(call.request);
    const client::Outcome outcome = endpoint_.call(call.operation, request);
    ++totals_.sent;
    if (!call.status) return;  // no recorded answer to compare with
    if (compare(call, outcome)) ++totals_.different;
  }

  // Returns whether the answers differ.
  bool compare(const RecordedCall& call, const client::Outcome& outcome) {
    if (*call.status != outcome.status || call.error != outcome.error_type) {
      tell(messages::kOtherOutcome(
          call.number, call.operation,
          messages::outcome_text(outcome.status, outcome.error_type, outcome.message),
          messages::outcome_text(*call.status, call.error, {})));
      return true;
    }
    if (!call.response) return false;
    std::string body = outcome.body;
    const auto found = document_.parse(body);
    const api::json::Value answer = found ? *found : api::json::Value();
    const auto differences =
        find_differences(call.operation, call.response, answer, options_.exact, kMostOfACall);
    for (const AnswerDifference& difference : differences) {
      tell(messages::other_value(call.number, call.operation, difference.path, difference.expected,
                                 difference.found));
    }
    names_.learn(call.response, answer);
    return !differences.empty();
  }

  void tell(std::string_view line) {
    if (told_++ < options_.shown) tell_(line);
  }

  const ReplayOptions& options_;
  client::Endpoint& endpoint_;
  const ReplayRun::Tell& tell_;
  Pace pace_;
  RenamedValues names_;
  api::json::Document document_;
  ReplayTotals totals_;
  std::size_t told_ = 0;
};

}  // namespace

ReplayTotals ReplayRun::run() {
  formats::ByteSource source(options_.journal);
  formats::RecordBlocks blocks(source, false);
  api::json::Document document;
  Replay replay(options_, endpoint_, tell_);
  std::string line;
  while (const auto block = blocks.next()) {
    std::size_t number = block->first_line;
    for (std::string_view rest = block->text; !rest.empty(); ++number) {
      line.assign(formats::take_line(rest));
      if (line.empty()) continue;
      const auto value = document.parse(line);
      const auto call = value ? read_recorded_call(*value) : std::nullopt;
      if (!call) {
        throw formats::TransferFileError(
            formats::messages::kAtRecord(options_.journal, number, messages::kNoJournalRecord));
      }
      replay.take(*call);
    }
  }
  return replay.totals();
}

}  // namespace magneto::server::tools
