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
  std::string endpoint;                   // --kinesis-endpoint; empty: nothing is sent
  std::shared_ptr<storage::Notes> notes;  // stores positions; nullptr: not stored
  DeliveryLine::Log log;
};

// Sends the changes of the main namespace's tables to their Kinesis data streams. One thread serves
// all destinations in turns, one request each. It looks for records when a destination changes and,
// while a destination exists, ten times a second. Records are sent again until Kinesis takes them,
// so at least once; those of each item are sent in order. Of several servers that share the store, the
// leader sends. Thread-safe.
class Deliverer : public api::Deliveries {
 public:
  // The number of closed destinations with unsent records that are kept. Beyond it, the oldest are
  // dropped.
  static constexpr std::size_t kMostClosed = 100;
  // Bytes of records that lines keep between their requests. Beyond it, lines read them again.
  static constexpr std::size_t kMostHeld = std::size_t{16} << 20;

  // Throws std::runtime_error with a sentence for the user if the endpoint is not a URL.
  explicit Deliverer(DelivererOptions options);
  ~Deliverer() override;
  Deliverer(const Deliverer&) = delete;
  Deliverer& operator=(const Deliverer&) = delete;

  // Call this once. `namespaces` may be destroyed after stop().
  void start(api::Namespaces& namespaces);
  // Ends soon, even if the endpoint does not answer. Unsent records are sent after the next start.
  void stop();

  bool can_send() const override { return !options_.endpoint.empty(); }
  void record_change() override;

 private:
  using Clock = std::chrono::steady_clock;
  using Lines = std::vector<std::unique_ptr<DeliveryLine>>;

  void run();
  void follow_namespace();
  bool leads() const;
  void follow_destinations();
  void drop_closed();
  bool waits_for_older(const DeliveryLine& line) const;
  Clock::time_point take_turns();
  bool take_turn(DeliveryLine& line, std::size_t& held);
  bool is_stopping() const;

  const DelivererOptions options_;
  DeliveryPositions positions_;
  api::Namespaces* namespaces_ = nullptr;
  // Only the thread uses these.
  std::unique_ptr<KinesisClient> client_;
  std::shared_ptr<api::Namespace> main_;
  Lines lines_;                    // the oldest first
  bool walks_ = true;              // must look for destinations
  Clock::time_point next_walk_{};  // if other servers may change them

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable wake_;
  bool stopping_ = false;
  bool changed_ = true;
  bool has_told_ = false;  // has logged that nothing is sent
  std::thread thread_;
};

}  // namespace magneto::server::feeds
