#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/deliveries/deliveries.h"
#include "api/namespaces/namespaces.h"
#include "server/client/endpoint/endpoint_url.h"
#include "server/feeds/delivery/delivery_line.h"
#include "server/feeds/delivery/delivery_positions.h"
#include "server/feeds/delivery/kinesis_client.h"

namespace magneto::server::feeds {

struct DelivererOptions {
  std::string endpoint;        // --kinesis-endpoint; empty: nothing is sent
  std::string data_directory;  // where positions are kept; empty: nowhere
  DeliveryLine::Log log;
};

// Sends the changes of the main namespace's tables to their Kinesis data streams, in one thread,
// which takes turns among the destinations: a request of each at a time. Records are looked for when
// a destination changes and, while there is any, ten times a second. Sent again until they are taken,
// so at least once; each item's in order. Thread-safe.
class Deliverer : public api::Deliveries {
 public:
  // Closed destinations of which something is left to be sent; of more the oldest are dropped.
  static constexpr std::size_t kMostClosed = 100;
  // Of records that lines hold between their requests; beyond it they read them again.
  static constexpr std::size_t kMostHeld = std::size_t{16} << 20;

  // Throws std::runtime_error, a sentence for the user, for what is no URL.
  explicit Deliverer(DelivererOptions options);
  ~Deliverer() override;
  Deliverer(const Deliverer&) = delete;
  Deliverer& operator=(const Deliverer&) = delete;

  // Once. `namespaces` may go after stop().
  void start(api::Namespaces& namespaces);
  // Ends soon, whatever the endpoint does. What was not taken is sent after the next start.
  void stop();

  bool can_send() const override { return !options_.endpoint.empty(); }
  void record_change() override;

 private:
  using Clock = std::chrono::steady_clock;
  using Lines = std::vector<std::unique_ptr<DeliveryLine>>;

  void run();
  void follow_namespace();
  void follow_destinations();
  void drop_closed();
  bool waits_for_older(const DeliveryLine& line) const;
  Clock::time_point take_turns();
  bool take_turn(DeliveryLine& line, std::size_t& held);
  bool is_stopping() const;

  const DelivererOptions options_;
  DeliveryPositions positions_;
  api::Namespaces* namespaces_ = nullptr;
  // Of the thread alone.
  std::unique_ptr<KinesisClient> client_;
  std::shared_ptr<api::Namespace> main_;
  Lines lines_;        // the older first
  bool walks_ = true;  // destinations are to be looked for

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  bool stopping_ = false;
  bool changed_ = true;
  bool has_told_ = false;  // that nothing is sent
  std::thread thread_;
};

}  // namespace magneto::server::feeds
