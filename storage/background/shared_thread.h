#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

namespace magneto::storage {

// A thread, begun when it is first called, that serves many clients, each in its turn: who called for
// an earlier time comes first, and after its turn goes behind all others that are due. So a client
// waits for at most one turn of each other one. Those that do not call cost nothing. Thread-safe.
class SharedThread {
 public:
  using Time = std::chrono::steady_clock::time_point;

  class Client {
   public:
    Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

   protected:
    ~Client() = default;

   private:
    friend class SharedThread;
    // In the thread, without its lock: does one thing, and calls again for the next.
    virtual void take_turn() = 0;

    std::optional<Time> place_;  // in due_; guarded by the thread's mutex_
  };

  SharedThread() = default;
  ~SharedThread();  // all clients have left
  SharedThread(const SharedThread&) = delete;
  SharedThread& operator=(const SharedThread&) = delete;

  // `client` is to have a turn at that time, or at an earlier one for which it has called already.
  void call(Client& client, Time time);
  // Takes back the client's call, and returns when no turn of it is under way: not from its turn.
  // However many others there are, it takes as long as that turn.
  void leave(Client& client);

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;  // guards what follows
  std::set<std::pair<Time, Client*>> due_;
  Client* in_turn_ = nullptr;
  bool sleeps_ = false;
  std::condition_variable_any called_;
  std::condition_variable turn_ended_;
  std::jthread thread_;
};

// The threads for the background of all stores that have none of their own (DatabaseOptions). Made
// once, before the first of these stores, and destroyed after the last.
struct BackgroundThreads {
  // For short tasks: some milliseconds at most, and no wait but for locks that are held as short.
  SharedThread tasks;
  // For jobs that may take as long as a table is large; never one that waits by a clock.
  SharedThread jobs;
};

}  // namespace magneto::storage
