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

// Sends the changes of one table to its destination, page by page and request by request. While it
// waits for an endpoint it keeps no records. Then it reads the page again from the first record
// that was not taken, without the later ones that were. For one thread.
class DeliveryLine {
 public:
  using Clock = std::chrono::steady_clock;
  using Warn = std::function<void(std::string_view what)>;

  // After this time a destination becomes ACTIVE even if no endpoint has said whether its stream
  // exists.
  static constexpr double kEnablingSeconds = 60;
  // Two functions for the log: the second receives the warnings about changes that the stream will
  // not get.
  struct Log {
    Warn warn;
    Warn warn_left_out;
  };

  // The limits of a page.
  static constexpr std::size_t kPageRecords = OrderedRecords::kMostRecords;
  static constexpr std::size_t kPageBytes = std::size_t{4} << 20;

  // `positions` and `log` must outlive the line.
  DeliveryLine(std::shared_ptr<api::ChangeFeed> feed, DeliveryPositions& positions, const Log& log);

  const api::ChangeFeed& feed() const { return *feed_; }
  // Replaces the feed with the same feed and its destination's current state.
  void set_feed(std::shared_ptr<api::ChangeFeed> feed) { feed_ = std::move(feed); }
  // True if the destination is disabled or the table deleted.
  bool is_closed() const { return feed_->has_closed(); }

  // Makes one request if there is something to send. False if there was nothing to do.
  bool step(KinesisClient& client);
  // The time of the next step.
  Clock::time_point due() const { return due_; }
  // True if everything was sent and no more can follow, or if the stream cannot be used.
  bool has_ended() const { return ended_; }
  // Drops the unsent changes.
  void abandon();

  // Bytes of the records in memory.
  std::size_t held() const { return records_.bytes(); }
  // Frees the records in memory.
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
  std::uint64_t position_;            // of the first record that was not taken, or before it
  std::vector<std::uint64_t> taken_;  // taken records after it, ascending, at most a page
  std::uint64_t next_ = 0;            // the position after records_
  client::RetryDelays delays_;
  Clock::time_point due_{};
  std::optional<Clock::time_point> failing_since_;
  bool ended_ = false;
};

}  // namespace magneto::server::feeds
