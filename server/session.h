#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "server/http_request.h"
#include "server/http_response.h"
#include "server/request_reader.h"
#include "server/request_router.h"

namespace magneto::server {

class SessionGroup;

using Executor = boost::asio::io_context::executor_type;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;
using Task = boost::asio::awaitable<void, Executor>;

// What one request needs while it is being read, run and answered. Lent by the group, so that idle
// connections hold none and busy ones reuse warm memory.
struct Exchange {
  HttpRequest request;
  HttpResponse response;
  std::string head;
};

// One connection: reads requests one after the other and answers each before the next. Lives on the
// thread of its group.
class Session {
 public:
  Session(SessionGroup& group, Socket socket);
  ~Session();

  // Serves until the client leaves, an error, a time-out or the end of the server.
  Task run();

  // True between requests.
  bool is_idle() const { return exchange_ == nullptr; }
  // In milliseconds of SessionGroup::now().
  std::int64_t deadline() const { return deadline_; }
  // Makes run() end soon.
  void abort();

  // Where the group keeps this session.
  std::size_t place() const { return place_; }
  void set_place(std::size_t place) { place_ = place; }

 private:
  enum class Parsed : std::uint8_t { kNeedMore, kComplete, kFailed };
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  Parsed parse();
  void begin_exchange();
  void end_exchange();
  std::int64_t read_deadline() const;
  std::size_t read_size() const;
  bool wants_continue();
  bool answer(const Route& route, std::uint64_t limit);
  void refuse();
  std::size_t bytes_of_request() const;
  bool hold(std::size_t bytes);
  void release_held();
  void hang_up() { broken_ = true, open_ = false; }
  bool write_now();
  Task answer_on_worker(Route route);
  Task write_rest();
  Task send_continue();
  Task discard_input();

  SessionGroup& group_;
  Socket socket_;
  boost::beast::flat_buffer buffer_;
  std::optional<RequestReader> reader_;
  std::unique_ptr<Exchange> exchange_;
  boost::beast::error_code parse_error_;
  RequestId request_id_{};
  std::size_t written_ = 0;  // of the response's head and body
  std::int64_t begun_ = 0;   // when the first byte of the request came
  std::int64_t deadline_;
  std::size_t place_ = 0;
  std::size_t held_ = 0;     // of SessionGroup::held_memory()
  bool continued_ = false;   // "100 Continue" was sent for this request
  bool overloaded_ = false;  // the request did not fit into held memory
  bool broken_ = false;      // nothing more can be written
  bool open_ = true;         // another request may follow
};

}  // namespace magneto::server
