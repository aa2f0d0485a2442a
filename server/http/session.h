#pragma once

#include <algorithm>
#include <boost/beast/core/flat_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "server/http/client_stream.h"
#include "server/http/connection_memory_budget.h"
#include "server/http/exchange.h"
#include "server/http/request_reader.h"
#include "server/http/session_memory.h"
#include "server/system/coroutine.h"
#include "server/system/own_port.h"

namespace magneto::server::http {

class SessionGroup;

// A connected, non-blocking socket, its TLS and the bytes read from it so far.
struct Connection {
  int descriptor;
  std::unique_ptr<TlsConnection> tls = nullptr;  // null for a plain connection
  boost::beast::flat_buffer read = {};
  std::shared_ptr<const system::OwnPort> own_port = nullptr;  // null if the main port accepted it
};

// One connection: reads requests one after the other, and answers each before it reads the next.
// Lives on the thread of its group.
class Session {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  // The cause for which run() is suspended.
  enum class WaitsFor : std::uint8_t {
    kServer,           // any cause but the following
    kClientToSend,     // the rest of a request or of a handshake
    kClientToTake,     // the rest of an answer
    kHandshakeWorker,  // also while the session is aborted
  };

  Session(SessionGroup& group, system::Socket socket, Connection connection);

  // Serves the client until it leaves, an error occurs, a time-out ends or the server ends.
  system::Task run();

  // ---- for the group ---------------------------------------------------------------------------

  // True between requests.
  bool is_idle() const { return exchange_ == nullptr; }
  // True if a request has begun and its rest has not arrived.
  bool is_receiving() const { return !is_idle() && waits_for_ == WaitsFor::kClientToSend; }
  bool is_at_handshake_worker() const { return waits_for_ == WaitsFor::kHandshakeWorker; }
  // In milliseconds of SessionGroup::now().
  std::int64_t deadline() const { return deadline_; }
  // Makes run() end soon.
  void abort();
  void time_out();
  // Like abort(), for a client that is too slow. Also discards the answers that it has not taken,
  // here and in the system.
  void reset_connection();
  bool is_aborted() const { return !stream_.is_open(); }

  // Greater for a session that became idle later.
  std::uint64_t idle_turn() const { return idle_turn_; }
  // Counts again, for an idle session, the last answer's bytes in the system's buffers.
  void check_unsent() {
    if (is_idle()) memory_.check_unsent();
  }
  const ConnectionMemoryBudget::Part& held_part() const { return memory_.part(); }

  // The index of this session in its group.
  std::size_t place() const { return place_; }
  void set_place(std::size_t place) { place_ = place; }

  // ---- for the exchange ------------------------------------------------------------------------

  ClientStream& stream() { return stream_; }
  boost::beast::flat_buffer& buffer() { return buffer_; }
  SessionMemory& memory() { return memory_; }
  const system::OwnPort* own_port() const { return own_port_.get(); }
  // Memory of the bytes read so far, without memory that was reserved but never written to.
  std::size_t bytes_read() const;
  void set_deadline(std::int64_t deadline) { deadline_ = deadline; }
  // No request follows the current one.
  void end_after_answer() { stage_ = std::max(stage_, Stage::kLastAnswer); }
  // Nothing more can be written to the connection.
  void hang_up() { stage_ = Stage::kBroken; }
  bool is_broken() const { return stage_ == Stage::kBroken; }
  // Call these around each wait for the client. end_wait() returns false if the client has left or
  // the session was aborted.
  void begin_wait(WaitsFor what) { waits_for_ = what; }
  bool end_wait(const boost::system::error_code& error, std::size_t bytes);

 private:
  enum class Stage : std::uint8_t { kOpen, kLastAnswer, kBroken };

  static constexpr std::size_t kReadBytes = 4096;
  static constexpr std::size_t kBodyReadBytes = 64 * 1024;

  bool is_open() const { return stage_ == Stage::kOpen; }
  system::Task let_others_run();
  void end_exchange();

  system::Task shake_hands();
  system::Task receive_handshake();
  system::Task continue_handshake(TlsConnection::Step& step);
  system::Task refuse_plain();

  system::Task wait_for_first_byte(char& first);
  system::Task wait_at_acceptor();
  bool is_at_wrong_place();
  void hand_over();
  RequestReader::Progress read();
  std::int64_t read_deadline() const;
  system::Task send_continue();
  system::Task discard_input();

  SessionGroup& group_;
  ClientStream stream_;
  boost::beast::flat_buffer buffer_;
  const std::shared_ptr<const system::OwnPort> own_port_;
  std::unique_ptr<Exchange> exchange_;
  std::int64_t deadline_;
  std::size_t place_ = 0;
  std::uint64_t idle_turn_;
  SessionMemory memory_;
  std::size_t read_peak_ = 0;  // of buffer_.size(): the memory written to
  WaitsFor waits_for_ = WaitsFor::kServer;
  Stage stage_ = Stage::kOpen;
};

}  // namespace magneto::server::http
