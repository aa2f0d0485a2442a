#pragma once

#include <string_view>

namespace magneto::api {

// Sends changes of tables to other services (implemented by server/feeds/delivery); operations
// decide which changes are sent. All functions return at once and may be called from any thread.
class Deliveries {
 public:
  static constexpr std::string_view kFlag = "--kinesis-endpoint";

  virtual ~Deliveries() = default;

  // Whether there is an endpoint. If not, destinations are only stored and described.
  virtual bool can_send() const = 0;
  // A destination of a table was enabled, disabled or updated.
  virtual void record_change() = 0;
};

}  // namespace magneto::api
