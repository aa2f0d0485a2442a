#include "server/delivery/delivery_line.h"

#include <exception>
#include <utility>

#include "server/delivery/messages.h"

namespace magneto::server {

DeliveryLine::DeliveryLine(std::shared_ptr<api::ChangeFeed> feed, DeliveryPositions& positions,
                           const Warn& warn)
    : feed_(std::move(feed)),
      positions_(positions),
      warn_(warn),
      position_(positions_.load(feed_->id())) {}

// False: there is nothing to be sent now.
bool DeliveryLine::fill() {
  if (!records_.empty()) return true;
  if (feed_->has_ended(position_)) {
    end();
    return false;
  }
  if (feed_->is_at_end(position_)) return false;
  api::FeedPage page = feed_->read(position_, kPageRecords, kPageBytes);
  if (page.has_lost) warn_(messages::records_too_old(feed_->table_arn(), feed_->stream_arn()));
  next_ = page.next;
  records_.set(std::move(page.records));
  if (!records_.empty()) return true;
  position_ = next_;
  return false;
}

// False: it is not known yet, or cannot be used.
bool DeliveryLine::look_for_stream(KinesisClient& client) {
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
      warn_(messages::stream_not_usable(feed_->table_arn(), feed_->stream_arn(), answer.why));
      feed_->end_enabling(false);
      end();
      return false;
  }
  feed_->end_enabling(true);
  return true;
}

// What cannot be read of one table keeps no other from being sent.
bool DeliveryLine::step(KinesisClient& client) {
  if (ended_ || Clock::now() < due_) return false;
  try {
    return try_step(client);
  } catch (const std::exception& error) {
    wait_longer();
    warn_(messages::delivery_failed(error.what()));
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
    abandon();  // nobody waits for it, and the table's next destination waits for this line
    return true;
  }
  if (answer.kind == PutAnswer::Kind::kRefused && OrderedRecords::is_too_long(first)) {
    warn_(messages::record_refused(feed_->table_arn(), feed_->stream_arn(), first.data.size(),
                                   answer.why));
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
  records_.remove(taken);
  if (records_.empty()) {
    position_ = next_;
    positions_.store(feed_->id(), position_);
  }
  if (taken.size() == places.size()) {
    note_success();
  } else {
    note_failure(answer.why);
  }
}

void DeliveryLine::note_failure(std::string_view why) {
  wait_longer();
  warn_(messages::cannot_deliver(feed_->table_arn(), feed_->stream_arn(), why,
                                 feed_->lag(position_)));
}

void DeliveryLine::wait_longer() {
  const auto now = Clock::now();
  if (!failing_since_) failing_since_ = now;
  const auto delay = delays_.next();
  due_ = now + (delay ? *delay : delays_.longest());
}

void DeliveryLine::note_success() {
  due_ = {};
  delays_.restart();
  if (!failing_since_) return;
  const std::chrono::duration<double> failed = Clock::now() - *failing_since_;
  failing_since_.reset();
  warn_(messages::delivers_again(feed_->table_arn(), feed_->stream_arn(), failed.count()));
}

void DeliveryLine::end() {
  ended_ = true;
  records_.clear();
  positions_.forget(feed_->id());
}

void DeliveryLine::abandon() {
  warn_(messages::closed_line_dropped(feed_->table_arn(), feed_->stream_arn()));
  end();
}

}  // namespace magneto::server
