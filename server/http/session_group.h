#pragma once

#include <atomic>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "server/http/access_log.h"
#include "server/http/connection_memory_budget.h"
#include "server/http/finished_request.h"
#include "server/http/message/http_response.h"
#include "server/http/request_counts.h"
#include "server/http/request_router.h"
#include "server/http/session.h"
#include "server/http/session_options.h"
#include "server/http/step_credit.h"
#include "server/http/table_labels.h"
#include "server/system/worker_pool.h"

namespace magneto::server::http {

// The workers of all groups (ThreadKind).
struct Workers {
  system::WorkerPool waiting;
  system::WorkerPool computing;
  system::WorkerPool control;
  system::WorkerPool handshakes;  // of TLS
};

// The sessions of one I/O thread, with their common event loop, time and memory. Other threads may
// only call open(), drain(), close_longest_idle(), longest_idle_since(), request_counts(), size()
// and run().
//
// A group may be the acceptor. A new connection stays there until its first operation, and never
// returns. The acceptor runs no operation and answers everything else itself, so it always answers.
class SessionGroup final : public ConnectionMemoryBudget::Owner {
 public:
  using Timer = server::system::Timer;

  // Takes over a connection on which an operation arrives.
  using HandOver = std::function<void(Connection connection)>;

  // With `hand_over` the group is the acceptor. `access_log`: nullptr if no log is written.
  SessionGroup(const RequestRouter& router, Workers& workers, ConnectionMemoryBudget& held_memory,
               const SessionOptions& options, TableLabels& tables, AccessLog* access_log,
               HandOver hand_over = nullptr);
  ~SessionGroup();

  // Serves the sessions on the calling thread until drain() was called and all sessions have ended.
  void run();
  // Takes over a connection.
  void open(Connection connection);
  // Ends idle sessions now, others after their request. Ends an incomplete request after half a
  // second, and every session after the drain time-out.
  void drain();
  // Closes the session that has been idle for longest. Then calls `done` on the group's thread,
  // with whether there was such a session.
  void close_longest_idle(std::function<void(bool closed)> done);
  // The deadline of that session, in milliseconds of now(), as of the last sweep; kNever if there
  // is none. It grows with the time at which the session became idle.
  std::int64_t longest_idle_since() const {
    return longest_idle_since_.load(std::memory_order_relaxed);
  }
  // The results of the group's requests. For any thread.
  const RequestCounts& request_counts() const { return request_counts_; }
  // The number of sessions that are open or about to be.
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }

  // ---- for sessions, on the group's thread -----------------------------------------------------

  const RequestRouter& router() const { return router_; }
  system::WorkerPool& workers(ThreadKind place) {
    if (place == ThreadKind::kControlWorker) return workers_.control;
    return place == ThreadKind::kWaitingWorker ? workers_.waiting : workers_.computing;
  }
  system::WorkerPool& handshake_workers() { return workers_.handshakes; }
  StepCredit& step_credit() { return step_credit_; }
  bool is_acceptor() const { return hand_over_ != nullptr; }
  void hand_over(Connection connection) { hand_over_(std::move(connection)); }
  ConnectionMemoryBudget& held_memory() { return held_memory_; }
  const SessionOptions& options() const { return options_; }
  boost::asio::io_context& context() { return context_; }
  RequestIdSource& request_ids() { return request_ids_; }
  DateHeader& date() { return date_; }
  bool is_draining() const { return draining_; }
  // Milliseconds, updated by each sweep: cheap, and exact enough for time-outs.
  std::int64_t now() const { return now_; }
  void note_finished(const FinishedRequest& finished) {
    request_counts_.note(finished);
    if (access_log_ != nullptr) [[unlikely]] {
      access_log_->note(finished);
    }
  }
  // Increases with each call.
  std::uint64_t next_turn() { return ++turn_; }
  // Ends the sessions with an evicted part of the held memory.
  void reset_evicted() {
    if (has_evicted_.load(std::memory_order_relaxed)) reset_all_evicted();
  }
  // Sessions whose answers should wait for room wait in a queue. The group cancels a session's
  // timer when its turn comes.
  void join_queue(Timer& turn);
  void leave_queue(Timer& turn);
  std::unique_ptr<Exchange> lend_exchange();
  void return_exchange(std::unique_ptr<Exchange> exchange);

 private:
  void part_evicted() override;
  bool has_moved(const ConnectionMemoryBudget::Part& part) override;
  void reset_all_evicted();
  Session* find_longest_idle() const;
  void add(Connection connection);
  void remove(Session* session);
  void look_for_room();
  void schedule_sweep();
  void sweep();
  void finish_if_drained();

  const RequestRouter& router_;
  Workers& workers_;
  ConnectionMemoryBudget& held_memory_;
  const SessionOptions& options_;
  const HandOver hand_over_;
  RequestCounts request_counts_;
  AccessLog* const access_log_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<system::Executor> work_;
  Timer timer_;
  Timer queue_timer_;
  std::deque<Timer*> queue_;
  std::chrono::milliseconds sweep_interval_;
  StepCredit step_credit_;
  RequestIdSource request_ids_;
  DateHeader date_;
  std::vector<std::unique_ptr<Exchange>> exchanges_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::atomic<std::size_t> size_{0};
  std::atomic<bool> has_evicted_{false};
  std::atomic<std::int64_t> longest_idle_since_{Session::kNever};
  std::uint64_t turn_ = 0;
  std::int64_t now_ = 0;
  std::int64_t drain_deadline_ = 0;
  std::int64_t half_sent_deadline_ = 0;
  bool sweeping_ = false;
  bool draining_ = false;
};

}  // namespace magneto::server::http
