#include "server/feeds/event_sources/lane.h"

#include <algorithm>
#include <exception>
#include <limits>

#include "server/feeds/event_sources/messages.h"

namespace magneto::server::feeds {
namespace {

constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();
constexpr std::chrono::milliseconds kLaneLookTime{100};
// The memory of a call: its thread, its connection with TLS, and the beginning of the answer.
constexpr std::size_t kBytesOfACall = std::size_t{128} << 10;
// The maximum memory of a batch while it is read: its growing event, and a record.
constexpr std::size_t kBytesToRead = 2 * FunctionClient::kMostBytes;

// The memory of a batch after it was read, including the record names that an answer may contain.
std::size_t bytes_of_call(const EventBatch& batch, bool names_items) {
  const std::size_t of_record =
      sizeof(EventBatch::Entry) + (names_items ? FunctionAnswerReader::kBytesOfAnItem : 0);
  return kBytesOfACall + batch.event.size() + batch.entries.capacity() * of_record;
}

constexpr std::string_view kRetriesExhausted = "RetryAttemptsExhausted";
constexpr std::string_view kAgeExceeded = "RecordAgeExceeded";

}  // namespace

Lane::Lane(MappingWork& work, const BatchSource& place, ShardProgress& progress)
    : work_(work), place_(place), progress_(progress) {}

double Lane::age() const {
  const std::int64_t since = waiting_since_.load(std::memory_order_relaxed);
  if (since == kNobodyWaits) return 0;
  const std::chrono::duration<double> age =
      place_.stream->now().time_since_epoch() - std::chrono::microseconds(since);
  return std::max(age.count(), 0.0);
}

// A shard that cannot be read does not keep other shards from being sent.
Lane::Clock::time_point Lane::step() {
  try {
    return try_step();
  } catch (const std::exception& error) {
    work_.warn(messages::kSourceUnreadable(work_.mapping.function_name, error.what()));
    return Clock::now() + delays_.longest();
  }
}

Lane::Clock::time_point Lane::try_step() {
  if (ended_) return kWhenItGrows;
  if (refused_) return report_dropped();
  const EventSourceMapping& mapping = work_.mapping;
  CallMemory::Use memory(work_.memory, work_.memory_share, kBytesToRead);
  if (!memory.is_granted()) return Clock::now() + kLaneLookTime;
  const bool is_new = ranges_.empty();
  if (is_new && mapping.window.count() > 0) {
    if (const auto due = gather()) return *due;
  }
  const std::uint64_t first = is_new ? progress_.at(place_.lane.number) : ranges_.front().first;
  const std::uint64_t last = is_new ? kNoEnd : ranges_.front().last;
  const EventBatch batch = read_batch(place_, work_, first, last, mapping.batch_size);
  memory.shrink(bytes_of_call(batch, mapping.reports_item_failures));
  if (work_.is_over()) return Clock::now();
  // The number of records that were lost before they were read is unknown: at least one.
  if (is_new && batch.page.has_lost) note_lost(1);
  if (is_new) work_.counts.filtered += batch.filtered;
  if (batch.entries.empty()) return skip_empty(batch);
  if (is_new) {
    gathering_.reset();
    last_failure_ = {};
    ranges_.push_back({.first = batch.entries.front().position,
                       .last = batch.entries.back().position,
                       .after = batch.page.next,
                       .count = batch.entries.size()});
  } else {
    shrink_range(batch);
  }
  waiting_since_ = batch.entries.front().made.time_since_epoch().count();
  if (const std::size_t expired = count_expired(batch); expired > 0) {
    return drop(batch, {.batch = &batch,
                        .count = expired,
                        .condition = kAgeExceeded,
                        .invocations = ranges_.front().invocations,
                        .last = &last_failure_});
  }
  return classify(batch, work_.client.invoke(place_.stream->region(), batch.event));
}

// Returns nullopt if it is time to send the gathered records, otherwise the time of the next look.
std::optional<Lane::Clock::time_point> Lane::gather() {
  const EventSourceMapping& mapping = work_.mapping;
  const std::uint64_t begin = progress_.at(place_.lane.number);
  if (!gathering_) gathering_.emplace(Gathering{.to = begin});
  const EventBatch more =
      read_batch(place_, work_, gathering_->to, kNoEnd, mapping.batch_size - gathering_->count);
  const auto now = Clock::now();
  if (work_.is_over()) return now;
  if (gathering_->count == 0) {
    if (more.entries.empty()) {
      if (more.page.has_ended || more.page.has_lost) return std::nullopt;
      work_.counts.filtered += more.filtered;
      move_to(more.page.next, false);
      gathering_.reset();
      return more.page.next < place_.stream->end() ? now : kWhenItGrows;
    }
    gathering_->ends = now + mapping.window;
    waiting_since_ = more.entries.front().made.time_since_epoch().count();
  }
  gathering_->to = more.page.next;
  gathering_->count += more.entries.size();
  gathering_->bytes += more.event.size();
  const bool is_full = gathering_->count >= mapping.batch_size ||
                       gathering_->bytes >= FunctionClient::kMostBytes || more.page.has_ended;
  if (is_full || now >= gathering_->ends) return std::nullopt;
  return std::min(now + kLaneLookTime, gathering_->ends);
}

// Handles a read that found nothing to send.
Lane::Clock::time_point Lane::skip_empty(const EventBatch& batch) {
  if (!ranges_.empty()) {
    const Range range = ranges_.front();
    const bool is_cut = !batch.page.has_ended && batch.page.next <= range.last;
    if (!is_cut) note_lost(range.count);
    move_past(is_cut ? batch.page.next : range.after, is_cut ? range.count : 0);
    return Clock::now();
  }
  gathering_.reset();
  waiting_since_ = kNobodyWaits;
  ended_ = batch.page.has_ended;
  move_to(batch.page.next, ended_);
  const bool has_more = !ended_ && batch.page.next < place_.stream->end();
  return has_more ? Clock::now() : kWhenItGrows;
}

// Moves the part of the range that was not read this time into a range of its own. The loss of
// records is reported when the last record of the range is read.
void Lane::shrink_range(const EventBatch& batch) {
  Range& range = ranges_.front();
  const std::size_t missing = range.count - std::min(range.count, batch.entries.size());
  range.count = batch.entries.size();
  if (batch.page.has_ended || batch.page.next > range.last) {
    if (missing > 0) note_lost(missing);
    return;
  }
  Range rest = range;
  rest.first = batch.page.next;
  rest.count = missing;
  range.last = batch.entries.back().position;
  range.after = batch.page.next;
  ranges_.insert(ranges_.begin() + 1, rest);
}

// Counts records that became older than a day before the function took them.
void Lane::note_lost(std::size_t count) {
  work_.counts.dropped += count;
  work_.warn_left_out(
      messages::kSourceRecordsTooOld(work_.mapping.source(), work_.mapping.function_name));
}

// Counts the expired records, which are the first ones: records are ordered by time.
std::size_t Lane::count_expired(const EventBatch& batch) const {
  const std::int64_t limit = work_.mapping.max_age_seconds;
  if (limit == EventSourceMapping::kUnlimited) return 0;
  const auto oldest = place_.stream->now() - std::chrono::seconds(limit);
  const auto kept = std::ranges::find_if(
      batch.entries, [&](const EventBatch::Entry& entry) { return entry.made >= oldest; });
  return static_cast<std::size_t>(kept - batch.entries.begin());
}

Lane::Clock::time_point Lane::classify(const EventBatch& batch, const Invocation& result) {
  using Kind = Invocation::Kind;
  if (result.kind == Kind::kOver) return Clock::now();
  if (result.kind == Kind::kNotNow) return wait(result.why);
  ++work_.counts.invocations;
  ++ranges_.front().invocations;
  if (result.kind == Kind::kFailed) return note_failure(batch, result, result.why);
  const std::size_t all = batch.entries.size();
  const auto failed =
      result.failed_items ? first_failed_item(*result.failed_items, batch) : std::nullopt;
  if (!failed) return note_failure(batch, result, messages::kBadReport);
  if (*failed < all) return note_item_failures(batch, result, *failed);
  note_taken(batch, all);
  note_success();
  return Clock::now();
}

// Cuts the batch where the function says, and sends its rest again.
Lane::Clock::time_point Lane::note_item_failures(const EventBatch& batch, const Invocation& result,
                                                 std::size_t failed) {
  if (failed == 0) return note_failure(batch, result, messages::kItemFailures);
  note_taken(batch, failed);
  Range& rest = ranges_.front();
  rest.retries = 0;
  EventBatch left;
  left.entries.assign(batch.entries.begin() + static_cast<std::ptrdiff_t>(failed),
                      batch.entries.end());
  if (!work_.mapping.bisects) return note_failure(left, result, messages::kItemFailures);
  ++work_.counts.failures;
  delays_.restart();
  return wait(messages::kItemFailures);
}

// Halving a batch does not count as a retry (AWS Lambda developer guide,
// "BisectBatchOnFunctionError").
Lane::Clock::time_point Lane::note_failure(const EventBatch& batch, const Invocation& result,
                                           std::string_view why) {
  ++work_.counts.failures;
  last_failure_ = result;
  last_failure_.failed_items.reset();
  Range& range = ranges_.front();
  const std::size_t size = batch.entries.size();
  if (work_.mapping.bisects && size > 1) {
    const std::size_t half = size / 2;
    Range second = range;
    second.first = batch.entries[half].position;
    second.count = size - half;
    range.count = half;
    range.last = batch.entries[half - 1].position;
    range.after = second.first;
    ranges_.insert(ranges_.begin() + 1, second);
    delays_.restart();
    return wait(why);
  }
  const std::int64_t limit = work_.mapping.max_retries;
  if (limit == EventSourceMapping::kUnlimited || range.retries < limit) {
    ++range.retries;
    return wait(why);
  }
  return drop(batch, {.batch = &batch,
                      .count = size,
                      .condition = kRetriesExhausted,
                      .invocations = range.invocations,
                      .last = &result});
}

Lane::Clock::time_point Lane::drop(const EventBatch& batch, const DroppedRecords& dropped) {
  const EventSourceMapping& mapping = work_.mapping;
  const std::uint64_t after = dropped.count == batch.entries.size()
                                  ? ranges_.front().after
                                  : batch.entries[dropped.count].position;
  refused_.emplace(Refused{left_out_record(place_, mapping, dropped), after,
                           batch.entries.size() - dropped.count});
  work_.counts.dropped += dropped.count;
  work_.warn_left_out(messages::records_left_out(
      mapping.function_name, mapping.source(), dropped.count, dropped.condition,
      api::SourceStream::sequence_number(batch.entries.front().position),
      api::SourceStream::sequence_number(batch.entries[dropped.count - 1].position)));
  delays_.restart();
  return report_dropped();
}

// Stores the report on dropped records; only then are they skipped.
Lane::Clock::time_point Lane::report_dropped() {
  if (const auto why = work_.failures.keep(refused_->record)) {
    if (work_.is_over()) return Clock::now();
    work_.warn(
        messages::kCannotKeepFailure(work_.failures.name(), work_.mapping.function_name, *why));
    const auto delay = delays_.next();
    return Clock::now() + (delay ? *delay : delays_.longest());
  }
  move_past(refused_->after, refused_->rest);
  refused_.reset();
  delays_.restart();
  failing_since_.reset();
  return Clock::now();
}

// Notes the first `count` records as taken.
void Lane::note_taken(const EventBatch& batch, std::size_t count) {
  work_.counts.delivered += count;
  const std::size_t rest = batch.entries.size() - count;
  move_past(rest == 0 ? ranges_.front().after : batch.entries[count].position, rest);
}

// Moves the range's start to `after`; `rest` records of the range remain.
void Lane::move_past(std::uint64_t after, std::size_t rest) {
  if (after == ranges_.front().after) {
    ranges_.pop_front();
  } else {
    ranges_.front().first = after;
    ranges_.front().count = rest;
  }
  if (ranges_.empty()) waiting_since_ = kNobodyWaits;
  move_to(after, true);
}

void Lane::move_to(std::uint64_t position, bool keeps) {
  progress_.move(place_.lane.number, position, keeps);
  place_.stream->record_read(place_.shard, progress_.lowest());
}

Lane::Clock::time_point Lane::wait(std::string_view why) {
  const auto now = Clock::now();
  if (!failing_since_) failing_since_ = now;
  work_.warn(
      messages::cannot_invoke(work_.mapping.function_name, work_.mapping.source(), why, age()));
  const auto delay = delays_.next();
  return now + (delay ? *delay : delays_.longest());
}

void Lane::note_success() {
  delays_.restart();
  if (!failing_since_) return;
  const std::chrono::duration<double> failed = Clock::now() - *failing_since_;
  failing_since_.reset();
  work_.warn(
      messages::invokes_again(work_.mapping.function_name, work_.mapping.source(), failed.count()));
}

}  // namespace magneto::server::feeds
