#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/deliveries/change_feed.h"
#include "server/client/endpoint/retry_delays.h"
#include "server/feeds/delivery/delivery_positions.h"
#include "server/feeds/delivery/kinesis_client.h"
#include "server/feeds/delivery/ordered_records.h"

namespace magneto::server::feeds {

// The way of one table's changes to its destination: a page of them at a time, request by request.
// While it waits for an endpoint it holds no records: the page is read again from the first that was
// not taken, without those behind it that were. For one thread.
class DeliveryLine {
 public:
  using Clock = std::chrono::steady_clock;
  using Warn = std::function<void(std::string_view what)>;

  // After it a destination is ACTIVE though nobody has answered whether its stream is there.
  static constexpr double kEnablingSeconds = 60;
  // What it tells, and apart what it tells of changes that its stream will not get.
  struct Log {
    Warn warn;
    Warn warn_left_out;
  };

  // Of a page.
  static constexpr std::size_t kPageRecords = OrderedRecords::kMostRecords;
  static constexpr std::size_t kPageBytes = std::size_t{4} << 20;

  // `positions` and `log` must outlive it.
  DeliveryLine(std::shared_ptr<api::ChangeFeed> feed, DeliveryPositions& positions, const Log& log);

  const api::ChangeFeed& feed() const { return *feed_; }
  // The same feed, as its destination is now.
  void set_feed(std::shared_ptr<api::ChangeFeed> feed) { feed_ = std::move(feed); }
  // The destination is disabled, or the table deleted.
  bool is_closed() const { return feed_->has_closed(); }

  // Makes one request, where there is something to send. False: there was nothing to do now.
  bool step(KinesisClient& client);
  // When the next step may be taken.
  Clock::time_point due() const { return due_; }
  // All was sent that there will ever be, or the stream cannot be used: nothing is left to do.
  bool has_ended() const { return ended_; }
  // What is left to be sent is not.
  void abandon();

  // Bytes of the records that are in memory.
  std::size_t held() const { return records_.bytes(); }
  // None is held from now on.
  void release_records();

 private:
  bool try_step(KinesisClient& client);
  bool fill();
  bool look_for_stream(KinesisClient& client);
  void move_to(std::uint64_t position);
  void note_taken(const std::vector<std::size_t>& places, const PutAnswer& answer);
  void note_failure(std::string_view why);
  void wait_longer();
  void note_success();
  void end();

  std::shared_ptr<api::ChangeFeed> feed_;
  DeliveryPositions& positions_;
  const Log& log_;
  OrderedRecords records_;
  std::uint64_t position_;            // of the first that was not taken, or before it
  std::vector<std::uint64_t> taken_;  // of what was taken behind it, ascending; of a page at most
  std::uint64_t next_ = 0;            // behind what is in records_
  client::RetryDelays delays_;
  Clock::time_point due_{};
  std::optional<Clock::time_point> failing_since_;
  bool ended_ = false;
};

}  // namespace magneto::server::feeds
