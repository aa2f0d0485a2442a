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

// A thread that serves many clients in turns; it starts at the first call. The client with the
// earliest due time runs first; after its turn it queues behind all other due clients. So a client
// waits for at most one turn of each other client. Clients that do not call cost nothing.
// Thread-safe.
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
    // Runs in the thread, without its lock: does one piece of work, and calls again for the next.
    virtual void take_turn() = 0;

    std::optional<Time> place_;  // in due_; guarded by the thread's mutex_
  };

  SharedThread() = default;
  ~SharedThread();  // all clients have left
  SharedThread(const SharedThread&) = delete;
  SharedThread& operator=(const SharedThread&) = delete;

  // Requests a turn for `client` at that time; an earlier request stays.
  void call(Client& client, Time time);
  // Cancels the client's request, and returns when no turn of it is running. Must not be called in
  // its turn. Takes as long as that turn, however many clients there are.
  void leave(Client& client);

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;  // guards the next members
  std::set<std::pair<Time, Client*>> due_;
  Client* in_turn_ = nullptr;
  bool sleeps_ = false;
  std::condition_variable_any called_;
  std::condition_variable turn_ended_;
  std::jthread thread_;
};

// The background threads of all stores that have no threads of their own (DatabaseOptions). Created
// before the first of these stores and destroyed after the last.
struct BackgroundThreads {
  // For short tasks: some milliseconds at most, waiting only for locks that are held as briefly.
  SharedThread tasks;
  // For jobs that take time in proportion to a table's size. They must never wait for a clock.
  SharedThread jobs;
};

}  // namespace magneto::storage
