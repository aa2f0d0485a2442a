#include "server/feeds/delivery/delivery_line.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "server/feeds/delivery/messages.h"

namespace magneto::server::feeds {

DeliveryLine::DeliveryLine(std::shared_ptr<api::ChangeFeed> feed, DeliveryPositions& positions,
                           const Log& log)
    : feed_(std::move(feed)),
      positions_(positions),
      log_(log),
      position_(PositionBounds{0, feed_->end(), feed_->position_of_now()}.go_on(
          positions_.load(feed_->id()))) {}

// False if there is nothing to send now.
bool DeliveryLine::fill() {
  if (!records_.empty()) return true;
  if (feed_->has_ended(position_)) {
    end();
    return false;
  }
  if (feed_->is_at_end(position_)) return false;
  api::FeedPage page = feed_->read(position_, kPageRecords, kPageBytes);
  if (page.has_lost) {
    log_.warn_left_out(messages::kRecordsTooOld(feed_->table_arn(), feed_->stream_arn()));
    move_to(page.records.empty() ? page.next : page.records.front().position);
  }
  next_ = page.next;
  std::erase_if(page.records, [&](const api::FeedRecord& record) {
    return std::ranges::binary_search(taken_, record.position);
  });
  records_.set(std::move(page.records));
  if (!records_.empty()) return true;
  move_to(next_);
  return false;
}

void DeliveryLine::move_to(std::uint64_t position) {
  position_ = position;
  std::erase_if(taken_, [position](std::uint64_t taken) { return taken < position; });
}

void DeliveryLine::release_records() {
  if (records_.empty()) return;
  const std::uint64_t first = records_.at(records_.first()).position;
  records_.clear();
  if (first == position_) return;
  move_to(first);
  positions_.store(feed_->id(), position_);
}

// False if it is not known yet whether the stream exists, or if the stream cannot be used.
bool DeliveryLine::look_for_stream(KinesisClient& client) {
  using Found = api::ChangeFeed::Found;
  if (!feed_->may_end_enabling()) return false;
  const PutAnswer answer = client.look_for(feed_->stream_name(), feed_->region());
  switch (answer.kind) {
    case PutAnswer::Kind::kTaken:
      note_success();
      break;
    case PutAnswer::Kind::kNotNow:
      note_failure(answer.why);
      if (feed_->seconds_enabling() < kEnablingSeconds) return false;
      break;
    case PutAnswer::Kind::kRefused:
    case PutAnswer::Kind::kGone:
    case PutAnswer::Kind::kInactive:
      log_.warn_left_out(
          messages::kStreamNotUsable(feed_->table_arn(), feed_->stream_arn(), answer.why));
      feed_->end_enabling(answer.kind == PutAnswer::Kind::kInactive ? Found::kInactiveStream
                                                                    : Found::kNoStream);
      end();
      return false;
  }
  feed_->end_enabling(Found::kUsable);
  return true;
}

// A table that cannot be read does not keep other tables from being sent.
bool DeliveryLine::step(KinesisClient& client) {
  if (ended_ || Clock::now() < due_) return false;
  try {
    return try_step(client);
  } catch (const std::exception& error) {
    wait_longer();
    log_.warn(messages::kDeliveryFailed(error.what()));
    return false;
  }
}

bool DeliveryLine::try_step(KinesisClient& client) {
  if (feed_->is_enabling() && !look_for_stream(client)) return false;
  if (!fill()) return false;
  const std::vector<std::size_t> places = records_.next_request();
  const PutAnswer answer = client.put(feed_->stream_name(), feed_->region(), records_, places);
  const api::FeedRecord& first = records_.at(places.front());
  if (answer.kind == PutAnswer::Kind::kGone && is_closed()) {
    // No client waits for it, but the table's next destination waits for this line.
    log_.warn_left_out(messages::kClosedStreamGone(feed_->table_arn(), feed_->stream_arn()));
    end();
    return true;
  }
  if (answer.kind == PutAnswer::Kind::kRefused && OrderedRecords::is_too_long(first)) {
    log_.warn_left_out(messages::kRecordRefused(feed_->table_arn(), feed_->stream_arn(),
                                                first.data.size(), answer.why));
    note_taken(places, {PutAnswer::Kind::kTaken, {true}, {}});
  } else if (answer.kind == PutAnswer::Kind::kTaken) {
    note_taken(places, answer);
  } else {
    note_failure(answer.why);
  }
  return true;
}

void DeliveryLine::note_taken(const std::vector<std::size_t>& places, const PutAnswer& answer) {
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (answer.taken[i]) taken.push_back(places[i]);
  }
  for (const std::size_t place : taken) taken_.push_back(records_.at(place).position);
  std::ranges::sort(taken_);
  records_.remove(taken);
  if (records_.empty()) {
    move_to(next_);
    positions_.store(feed_->id(), position_);
  }
  if (taken.size() == places.size()) {
    note_success();
  } else {
    // A stream that takes some records will soon have room for more.
    if (!taken.empty()) delays_.restart();
    note_failure(answer.why);
  }
}

void DeliveryLine::note_failure(std::string_view why) {
  wait_longer();
  log_.warn(messages::cannot_deliver(feed_->table_arn(), feed_->stream_arn(), why,
                                     feed_->lag(position_)));
}

void DeliveryLine::wait_longer() {
  const auto now = Clock::now();
  if (!failing_since_) failing_since_ = now;
  const auto delay = delays_.next();
  due_ = now + (delay ? *delay : delays_.longest());
  release_records();
}

void DeliveryLine::note_success() {
  due_ = {};
  delays_.restart();
  if (!failing_since_) return;
  const std::chrono::duration<double> failed = Clock::now() - *failing_since_;
  failing_since_.reset();
  log_.warn(messages::delivers_again(feed_->table_arn(), feed_->stream_arn(), failed.count()));
}

void DeliveryLine::end() {
  ended_ = true;
  records_.clear();
  taken_.clear();
  positions_.forget(feed_->id());
}

void DeliveryLine::abandon() {
  log_.warn_left_out(messages::kClosedLineDropped(feed_->table_arn(), feed_->stream_arn()));
  end();
}

}  // namespace magneto::server::feeds
