#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/message/http_request.h"
#include "server/http/message/http_response.h"
#include "server/http/request_reader.h"
#include "server/http/request_router.h"
#include "server/system/coroutine.h"
#include "storage/model/effort.h"

namespace magneto::server::http {

class Session;
class SessionGroup;

// One request and its answer. The session calls read() until the request is complete or refused,
// then answer(), then write(). The group lends exchanges: idle connections hold none, and busy
// connections reuse warm memory. Use it on the session's thread only.
class Exchange {
 public:
  explicit Exchange(SessionGroup& group) : group_(group) {}

  // The session must stay alive until the exchange ends or begin() is called again.
  void begin(Session& session);
  void clear() {
    request_.clear();
    response_.clear();
  }
  // The memory of the request and the answer.
  std::size_t bytes() const { return request_.body.capacity() + bytes_of_answer(); }

  RequestReader& reader() { return *reader_; }
  // The time until which the client may send the rest of the request.
  std::int64_t read_deadline() const;
  // Parses the bytes in the session's buffer. A refused request gets its answer at once.
  RequestReader::Progress read();

  // Answers the request on this thread. Returns false if answer_later() must do it, or the rest of
  // it.
  bool answer();
  // Waits for room or for workers, and then answers.
  system::Task answer_later();

  // Whether a fault rule has decided about the connection (api/faults).
  bool has_verdict() const { return response_.report.verdict() != nullptr; }
  system::Task carry_out_verdict();

  // Writes as much of the answer as possible at once. Returns false if write_rest() must write the
  // rest.
  bool write();
  system::Task write_rest();
  // The number of bytes of the answer that were written.
  std::size_t written() const { return written_; }
  // Ends a delay, for a client that gets nothing more.
  void cancel_delay() {
    if (delay_ != nullptr) delay_->cancel();
  }
  void discard_bodies() {
    request_.body = std::string();
    response_.body = std::string();
  }

 private:
  // The next step of the answer.
  enum class Due : std::uint8_t { kRoom, kAnswer, kCompression };

  bool hold_request();
  bool must_wait_for_room() const;
  boost::asio::awaitable<bool, system::Executor> wait_for_room();
  bool answer_here();
  bool answer_on_this_worker();
  bool call_router(storage::Effort& effort);
  void refuse(std::string_view why);
  system::Task delay(std::chrono::nanoseconds delay);
  void truncate(double kept);
  void note_finished();
  std::string_view id() const { return {id_.data(), id_.size()}; }
  std::string_view sent_body() const;
  std::array<boost::asio::const_buffer, 2> unwritten() const;
  // The memory of an answer and its request.
  std::size_t bytes_of_answer() const { return request_.bytes() + response_.body.capacity(); }

  SessionGroup& group_;
  Session* session_ = nullptr;
  HttpRequest request_;
  HttpResponse response_;
  std::string head_;        // of the response; with a short body, the body too
  bool is_joined_ = false;  // head_ has the body
  std::optional<RequestReader> reader_;
  Route route_;
  RequestId id_{};
  std::int64_t begun_ = 0;                          // when the first byte of the request arrived
  std::chrono::steady_clock::time_point whole_at_;  // when the request was complete
  std::size_t body_bytes_ = 0;                      // of the request, as received
  std::size_t written_ = 0;                         // of the response's head and body
  ThreadKind where_ = ThreadKind::kIoThread;        // of the next attempt
  Due due_ = Due::kAnswer;
  system::Timer* delay_ = nullptr;  // while delay() runs
};

}  // namespace magneto::server::http
