#include "storage/background/count_pauses.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

namespace magneto::storage {
namespace {

TEST(CountPauses, WorkRestsUntilTheLastPauseEnds) {
  CountPauses pauses;
  pauses.wait({});  // there is none
  std::optional<CountPauses::Pause> first(std::in_place, pauses);
  std::optional<CountPauses::Pause> second(std::in_place, pauses);
  std::atomic<bool> goes_on = false;
  std::thread work([&] {
    pauses.wait({});
    goes_on = true;
  });
  first.reset();
  EXPECT_FALSE(goes_on);
  second.reset();
  work.join();
  EXPECT_TRUE(goes_on);
}

TEST(CountPauses, AStopEndsTheRest) {
  CountPauses pauses;
  const CountPauses::Pause pause(pauses);
  std::jthread work([&](const std::stop_token& stop) { pauses.wait(stop); });
  work.request_stop();
  work.join();
}

}  // namespace
}  // namespace magneto::storage
