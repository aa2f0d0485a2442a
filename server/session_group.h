#pragma once

#include <atomic>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "server/config.h"
#include "server/held_memory.h"
#include "server/http_response.h"
#include "server/request_router.h"
#include "server/session.h"
#include "server/worker_pool.h"

namespace magneto::server {

// The sessions of one I/O thread, and what they share: the event loop, time, memory. Only open(),
// drain(), size() and run() may be called from elsewhere than its thread.
class SessionGroup {
 public:
  SessionGroup(const RequestRouter& router, WorkerPool& workers, HeldMemory& held_memory,
               const Config& config);
  ~SessionGroup();

  // Serves the sessions on the calling thread until drain() was called and all have ended.
  void run();
  // Takes over a connected, non-blocking socket.
  void open(int descriptor);
  // Ends idle sessions now, busy ones after their request or the drain time-out.
  void drain();
  // Sessions open or about to be.
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }

  // ---- for sessions, on the group's thread -----------------------------------------------------

  const RequestRouter& router() const { return router_; }
  WorkerPool& workers() { return workers_; }
  HeldMemory& held_memory() { return held_memory_; }
  const Config& config() const { return config_; }
  boost::asio::io_context& context() { return context_; }
  RequestIdSource& request_ids() { return request_ids_; }
  DateHeader& date() { return date_; }
  bool is_draining() const { return draining_; }
  // Milliseconds that move on with each sweep; cheap, and exact enough for time-outs.
  std::int64_t now() const { return now_; }
  std::unique_ptr<Exchange> lend_exchange();
  void return_exchange(std::unique_ptr<Exchange> exchange);

 private:
  using Timer = boost::asio::basic_waitable_timer<
      std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

  void add(int descriptor);
  void remove(Session* session);
  void schedule_sweep();
  void sweep();
  void finish_if_drained();

  const RequestRouter& router_;
  WorkerPool& workers_;
  HeldMemory& held_memory_;
  const Config& config_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<Executor> work_;
  Timer timer_;
  std::chrono::milliseconds sweep_interval_;
  RequestIdSource request_ids_;
  DateHeader date_;
  std::vector<std::unique_ptr<Exchange>> exchanges_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::atomic<std::size_t> size_{0};
  std::int64_t now_ = 0;
  std::int64_t drain_deadline_ = 0;
  bool sweeping_ = false;
  bool draining_ = false;
};

}  // namespace magneto::server
