#include "storage/engine/key_locks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace magneto::storage {
namespace {

using namespace std::chrono_literals;

KeyLocks::Holder lock_one(KeyLocks& locks, std::string_view key) { return locks.lock({&key, 1}); }

TEST(KeyLocks, HoldersOfOneKeyExcludeEachOther) {
  KeyLocks locks;
  int counter = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5'000; ++i) {
        const auto holder = lock_one(locks, "counter");
        ++counter;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(counter, 20'000);
}

TEST(KeyLocks, ManyKeysInAnyOrderDoNotBlockEachOtherForEver) {
  KeyLocks locks;
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) keys.push_back("key" + std::to_string(i));
  std::vector<std::string_view> ascending(keys.begin(), keys.end());
  std::vector<std::string_view> descending(keys.rbegin(), keys.rend());
  long sum = 0;
  const auto work = [&](const std::vector<std::string_view>& order) {
    for (int i = 0; i < 2'000; ++i) {
      const auto holder = locks.lock(order);
      ++sum;
    }
  };
  std::thread up([&] { work(ascending); });
  std::thread down([&] { work(descending); });
  up.join();
  down.join();
  EXPECT_EQ(sum, 4'000);
}

TEST(KeyLocks, KeysOnOneStripeAreLockedOnce) {
  KeyLocks locks;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < 4 * KeyLocks::kStripes; ++i) keys.push_back(std::to_string(i));
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  { const auto holder = locks.lock(views); }
  const auto again = locks.lock(views);
}

TEST(KeyLocks, AnIoThreadLeavesHeldKeysToWorkersAndHoldsNoneThen) {
  KeyLocks locks;
  const std::string_view both[] = {"a", "b"};
  auto holder = lock_one(locks, "b");
  std::thread([&] {
    const Effort on_io_thread(1'000);
    EXPECT_THROW(locks.lock(both), NeedsWorker);
    lock_one(locks, "a").release();
  }).join();
  lock_one(locks, "a").release();
  holder.release();
  const Effort on_io_thread(1'000);
  locks.lock(both).release();
}

TEST(KeyLocks, NoKeysHoldNothing) {
  KeyLocks locks;
  const auto nothing = locks.lock({});
  locks.wait_for_holders();
}

TEST(KeyLocks, MovedHolderKeepsTheKeyUntilReleased) {
  KeyLocks locks;
  auto first = std::make_unique<KeyLocks::Holder>(lock_one(locks, "a"));
  KeyLocks::Holder second = std::move(*first);
  first.reset();
  std::promise<void> got;
  std::thread waiter([&] {
    const auto holder = lock_one(locks, "a");
    got.set_value();
  });
  auto done = got.get_future();
  EXPECT_EQ(done.wait_for(30ms), std::future_status::timeout);
  second = KeyLocks::Holder();
  done.wait();
  waiter.join();
}

TEST(KeyLocks, WaitForHoldersOutlastsThoseOfBeforeOnly) {
  KeyLocks locks;
  auto holder = std::make_unique<KeyLocks::Holder>(lock_one(locks, "before"));
  std::atomic<bool> released = false;
  std::promise<bool> result;
  std::thread waiter([&] {
    locks.wait_for_holders();
    result.set_value(released);
  });
  auto done = result.get_future();
  EXPECT_EQ(done.wait_for(30ms), std::future_status::timeout);
  released = true;
  holder.reset();
  EXPECT_TRUE(done.get());
  waiter.join();
}

TEST(KeyLocks, NobodyHoldsAKeyWhileItIsPaused) {
  KeyLocks locks(64);
  std::atomic<int> held = 0;
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; !done; ++i) {
        const auto holder = lock_one(locks, "key" + std::to_string((t + i) % 7));
        ++held;
        std::this_thread::yield();
        --held;
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    const KeyLocks::Pause pause(locks);
    ASSERT_EQ(held, 0);
    std::this_thread::yield();
    ASSERT_EQ(held, 0);
  }
  done = true;
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace magneto::storage
