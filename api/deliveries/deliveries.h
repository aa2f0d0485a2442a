#pragma once

#include <string_view>

namespace magneto::api {

// Whoever sends changes of tables elsewhere (server/feeds/delivery); operations decide what is sent. All
// functions return at once and may be called from any thread.
class Deliveries {
 public:
  static constexpr std::string_view kFlag = "--kinesis-endpoint";

  virtual ~Deliveries() = default;

  // Whether there is an endpoint. Without one a destination is kept and described, nothing more.
  virtual bool can_send() const = 0;
  // A destination of a table was enabled, disabled or updated.
  virtual void note_change() = 0;
};

}  // namespace magneto::api
