// The minimum cost of an HTTP server with Magneto's structure: the same session form (a coroutine
// on concrete executor types, one event loop for each thread, an eager parser on one reused buffer,
// one write), but a fixed answer and no other work. The difference to Magneto is the cost of the
// database.
//
//   echo_server <port> <threads>
#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;
using Acceptor = asio::basic_socket_acceptor<tcp, Executor>;
using Task = asio::awaitable<void, Executor>;

constexpr asio::as_tuple_t<asio::use_awaitable_t<Executor>> kAwaitResult;
Task serve(Socket socket, std::size_t body_bytes) {
  socket.set_option(tcp::no_delay(true));
  boost::beast::flat_buffer buffer;
  const std::string body(body_bytes, 'x');
  std::string response;
  for (;;) {
    http::request_parser<http::string_body> parser;
    parser.eager(true);
    while (!parser.is_done()) {
      boost::beast::error_code failed = http::error::need_more;
      if (buffer.size() > 0) buffer.consume(parser.put(buffer.cdata(), failed));
      if (failed && failed != http::error::need_more) co_return;
      if (parser.is_done()) break;
      const auto [error, size] =
          co_await socket.async_read_some(buffer.prepare(4096), kAwaitResult);
      if (error) co_return;
      buffer.commit(size);
    }
    response = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
    response.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
    const auto [error, size] =
        co_await asio::async_write(socket, asio::buffer(response), kAwaitResult);
    if (error) co_return;
  }
}

Task accept(Acceptor acceptor, std::size_t body_bytes) {
  for (;;) {
    auto [error, socket] = co_await acceptor.async_accept(kAwaitResult);
    if (!error) {
      asio::co_spawn(acceptor.get_executor(), serve(std::move(socket), body_bytes), asio::detached);
    }
  }
}

// Each loop has its own listening socket; the kernel distributes connections over them.
void run_loop(std::uint16_t port, std::size_t body_bytes) {
  asio::io_context context(1);
  const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
  Acceptor acceptor(context, endpoint.protocol());
  const int on = 1;
  ::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  acceptor.bind(endpoint);
  acceptor.listen();
  asio::co_spawn(context, accept(std::move(acceptor), body_bytes), asio::detached);
  context.run();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: echo_server <port> <threads> <bytes of the answer's body>\n");
    return 2;
  }
  const auto port = static_cast<std::uint16_t>(std::atoi(argv[1]));
  const auto body_bytes = static_cast<std::size_t>(std::atoi(argv[3]));
  std::vector<std::jthread> threads;
  for (int i = 1; i < std::atoi(argv[2]); ++i) threads.emplace_back(run_loop, port, body_bytes);
  run_loop(port, body_bytes);
}
