#include "storage/background/shared_thread.h"

#include <algorithm>

namespace magneto::storage {

SharedThread::~SharedThread() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void SharedThread::call(Client& client, Time time) {
  // An overdue client queues behind those that are due by now.
  time = std::max(time, std::chrono::steady_clock::now());
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    if (client.place_) {
      if (*client.place_ <= time) return;
      due_.erase({*client.place_, &client});
      client.place_.reset();
    }
    due_.emplace(time, &client);
    client.place_ = time;
    if (!thread_.joinable()) {
      thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    }
    wakes = sleeps_ && due_.begin()->second == &client;
  }
  if (wakes) called_.notify_one();
}

void SharedThread::leave(Client& client) {
  std::unique_lock lock(mutex_);
  if (client.place_) due_.erase({*client.place_, &client});
  client.place_.reset();
  turn_ended_.wait(lock, [&] { return in_turn_ != &client; });
}

void SharedThread::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const auto is_called = [this] { return !due_.empty(); };
    sleeps_ = true;
    if (due_.empty()) {
      called_.wait(lock, stop, is_called);
      sleeps_ = false;
      continue;
    }
    const auto [time, client] = *due_.begin();
    if (time > std::chrono::steady_clock::now()) {
      const Time first = time;
      called_.wait_until(lock, stop, first,
                         [&] { return due_.empty() || due_.begin()->first < first; });
      sleeps_ = false;
      continue;
    }
    sleeps_ = false;
    due_.erase(due_.begin());
    client->place_.reset();
    in_turn_ = client;
    lock.unlock();
    client->take_turn();
    lock.lock();
    in_turn_ = nullptr;
    turn_ended_.notify_all();
  }
}

}  // namespace magneto::storage
