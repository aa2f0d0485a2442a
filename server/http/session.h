#pragma once

#include <atomic>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "server/http/client_stream.h"
#include "server/http/connection_memory_budget.h"
#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"
#include "server/http/request_reader.h"
#include "server/http/request_router.h"
#include "server/http/session_memory.h"
#include "server/system/coroutine.h"
#include "server/system/own_port.h"
#include "storage/model/effort.h"

namespace magneto::server::http {

class SessionGroup;

// What one request needs while it is being read, run and answered. Lent by the group, so that idle
// connections hold none and busy ones reuse warm memory.
struct Exchange {
  HttpRequest request;
  HttpResponse response;
  std::string head;
};

// A connected, non-blocking socket, what it speaks, and what was read of it.
struct Connection {
  int descriptor;
  std::unique_ptr<TlsConnection> tls = nullptr;  // null: plain
  boost::beast::flat_buffer read = {};
  std::shared_ptr<const system::OwnPort> own_port = nullptr;  // null: it came by the main one
};

// One connection: reads requests one after the other and answers each before the next. Lives on the
// thread of its group.
class Session {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  Session(SessionGroup& group, ClientStream stream, boost::beast::flat_buffer read,
          std::shared_ptr<const system::OwnPort> own_port);

  // Serves until the client leaves, an error, a time-out or the end of the server.
  system::Task run();

  // True between requests.
  bool is_idle() const { return exchange_ == nullptr; }
  // A request has begun and its client is to send the rest.
  bool is_receiving() const { return !is_idle() && at_client_ && !answers_; }
  // In milliseconds of SessionGroup::now().
  std::int64_t deadline() const { return deadline_; }
  // Makes run() end soon.
  void abort();
  void time_out();
  // The same for a client that is too slow: what it was to get is thrown away, here and in the
  // system.
  void reset_connection();

  bool is_aborted() const { return !stream_.is_open(); }
  // A worker is at its handshake, or about to be: aborted, it would stay until then.
  bool is_at_handshake_worker() const { return at_handshake_worker_; }

  // Between requests: the later it became so, the greater.
  std::uint64_t idle_turn() const { return idle_turn_; }
  // Looks after an answer that lies in the system's buffers while the session is idle.
  void check_unsent() {
    if (is_idle()) memory_.check_unsent();
  }
  const ConnectionMemoryBudget::Part& held_part() const { return memory_.part(); }

  // Where the group keeps this session.
  std::size_t place() const { return place_; }
  void set_place(std::size_t place) { place_ = place; }

 private:
  enum class Parsed : std::uint8_t { kNeedMore, kComplete, kFailed };

  static constexpr std::size_t kHeadReadBytes = 4096;
  static constexpr std::size_t kBodyReadBytes = 64 * 1024;
  static constexpr std::size_t kMaxBufferBytes = kMaxHeadBytes + 2 * kBodyReadBytes;

  system::Task let_others_run();
  void begin_exchange();
  void end_exchange();
  void hang_up() { broken_ = true, open_ = false; }

  // session_handshake.cc
  system::Task shake_hands();
  system::Task receive_handshake();
  system::Task continue_handshake(TlsConnection::Step& step);
  system::Task refuse_plain();

  // session_reading.cc
  system::Task wait_for_first_byte(char& first);
  system::Task wait_at_acceptor();
  bool is_at_wrong_place();
  void hand_over();
  Parsed parse();
  std::size_t bytes_of_request() const;
  std::int64_t read_deadline() const;
  std::size_t read_size() const;
  bool wants_continue();
  system::Task send_continue();
  system::Task discard_input();

  // session_answering.cc
  bool must_wait_for_room(const Route& route) const;
  system::Task wait_for_room();
  bool answer_here(const Route& route);
  system::Task answer_on_worker(Route route);
  bool answer_there(const Route& route);
  bool answer(const Route& route, storage::Effort& effort);
  static bool has_left(int descriptor, bool is_tls, std::chrono::steady_clock::duration waited);
  void refuse(std::string_view why);
  void refuse();
  void note_finished(const Route& route);
  std::size_t bytes_of_answer() const;
  bool write_now();
  system::Task write_rest();

  // session_faults.cc
  system::Task carry_out(const api::FaultVerdict& verdict, const Route& route);
  system::Task delay_answer(std::chrono::nanoseconds delay);
  void truncate_answer(double kept);

  SessionGroup& group_;
  ClientStream stream_;
  boost::beast::flat_buffer buffer_;
  const std::shared_ptr<const system::OwnPort> own_port_;
  std::optional<RequestReader> reader_;
  std::unique_ptr<Exchange> exchange_;
  boost::beast::error_code parse_error_;
  RequestId request_id_{};
  std::size_t written_ = 0;                         // of the response's head and body
  std::int64_t begun_ = 0;                          // when the first byte of the request came
  std::chrono::steady_clock::time_point whole_at_;  // when the last one did
  std::size_t body_bytes_ = 0;                      // of the request, as they came
  std::int64_t deadline_;
  std::size_t place_ = 0;
  std::uint64_t idle_turn_;
  SessionMemory memory_;
  std::size_t read_peak_ = 0;  // of buffer_.size(): so much of it was written to
  bool at_handshake_worker_ = false;
  std::atomic<bool> was_aborted_ = false;  // for a worker
  system::Timer* delay_ = nullptr;         // of an answer that a fault rule keeps back
  bool at_client_ = false;                 // waits for its client to send or take something
  bool answers_ = false;                   // the client has not taken the answer
  // Where the request is to be answered, as far as is known by now, and whether it has been, so
  // that the answer is only to be finished.
  ThreadKind where_ = ThreadKind::kIoThread;
  bool answered_ = false;
  bool was_reset_ = false;
  bool was_refused_ = false;  // before the request was run
  bool continued_ = false;    // "100 Continue" was sent for this request
  bool overloaded_ = false;   // the request did not fit into held memory
  bool broken_ = false;       // nothing more can be written
  bool open_ = true;          // another request may follow
};

}  // namespace magneto::server::http
