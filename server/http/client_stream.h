#pragma once

#include <array>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "server/http/tls/tls_connection.h"
#include "server/system/coroutine.h"

namespace magneto::server::http {

// The bytes of HTTP between a client and its session, plain or by TLS. To be used as a socket of
// Asio; a plain one pays no more than a look at a pointer. For the connection's thread.
class ClientStream {
 public:
  using executor_type = system::Executor;
  using ErrorCode = boost::system::error_code;

  // `tls`: null for plain.
  ClientStream(system::Socket socket, std::unique_ptr<TlsConnection> tls)
      : socket_(std::move(socket)),
        tls_(std::move(tls)),
        is_ready_(tls_ == nullptr || tls_->is_secured()) {}

  executor_type get_executor() { return socket_.get_executor(); }
  system::Socket& socket() { return socket_; }
  bool is_open() const { return socket_.is_open(); }
  bool is_tls() const { return tls_ != nullptr; }
  // False until the handshake is done, and others may be at it. Nothing below is to be called
  // before but for tls(), release() and close().
  bool is_ready() const { return is_ready_; }
  void note_ready() { is_ready_ = true; }
  // Null: plain. What it has unsent goes with what is written next.
  TlsConnection* tls() { return tls_.get(); }
  // The descriptor, -1 on an error, and what goes with it. Nothing is left here.
  std::pair<int, std::unique_ptr<TlsConnection>> release();

  // Something of a request has come that is not whole enough to be given out; what it takes.
  bool has_begun_record() const { return is_tls() && tls_->has_partial_record(); }
  std::size_t held_bytes() const { return is_tls() ? tls_->bytes() : 0; }

  // Writes what goes at once; would_block when nothing more does. By TLS as much as was written
  // before counts only when all of it has left, so what was not written must be given again.
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, ErrorCode& error) {
    return is_tls() ? write_tls(buffers, error) : socket_.write_some(buffers, error);
  }

  // Without an error and with 0 bytes: something has come, but nothing of HTTP that is whole.
  template <typename Token>
  auto async_read_some(boost::asio::mutable_buffer into, Token&& token) {
    return boost::asio::async_initiate<Token, void(ErrorCode, std::size_t)>(
        [this](auto handler, boost::asio::mutable_buffer to) {
          if (is_tls()) {
            read_tls(to, std::move(handler));
          } else {
            socket_.async_read_some(to, std::move(handler));
          }
        },
        token, into);
  }

  template <typename Buffers, typename Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(ErrorCode, std::size_t)>(
        [this](auto handler, const Buffers& from) {
          if (is_tls()) {
            write_tls_soon(from, std::move(handler));
          } else {
            socket_.async_write_some(from, std::move(handler));
          }
        },
        token, buffers);
  }

  // Tells the client that nothing more will be written. It may go on sending.
  void shut_down_sending();
  void close();

 private:
  // The bytes of the network come into the same buffer first: those of HTTP are no more.
  template <typename Handler>
  void read_tls(boost::asio::mutable_buffer into, Handler handler) {
    if (tls_->has_unread()) {
      boost::asio::post(socket_.get_executor(),
                        [this, into, handler = std::move(handler)]() mutable {
                          ErrorCode error;
                          const std::size_t size = decrypt(into, 0, error);
                          std::move(handler)(error, size);
                        });
      return;
    }
    // What is read at once is decrypted at once: more would occupy memory that nobody counts.
    const auto received = boost::asio::buffer(into, TlsConnection::kReadAtOnce);
    socket_.async_read_some(received, [this, into, handler = std::move(handler)](
                                          ErrorCode error, std::size_t size) mutable {
      if (!error) size = decrypt(into, size, error);
      std::move(handler)(error, size);
    });
  }

  template <typename Buffers, typename Handler>
  void write_tls_soon(const Buffers& buffers, Handler handler) {
    socket_.async_wait(system::Socket::wait_write,
                       [this, buffers, handler = std::move(handler)](ErrorCode error) mutable {
                         const std::size_t size = error ? 0 : write_tls(buffers, error);
                         if (error == boost::asio::error::would_block) {
                           write_tls_soon(buffers, std::move(handler));
                         } else {
                           std::move(handler)(error, size);
                         }
                       });
  }

  template <typename Buffers>
  std::size_t write_tls(const Buffers& buffers, ErrorCode& error) {
    const auto* const first = boost::asio::buffer_sequence_begin(buffers);
    return encrypt({first, boost::asio::buffer_sequence_end(buffers)}, error);
  }

  std::size_t decrypt(boost::asio::mutable_buffer into, std::size_t received, ErrorCode& error);
  std::size_t encrypt(std::span<const boost::asio::const_buffer> parts, ErrorCode& error);
  // Sends what TLS has to send, as far as it goes at once.
  void flush(ErrorCode& error);

  system::Socket socket_;
  std::unique_ptr<TlsConnection> tls_;
  bool is_ready_;
  std::size_t encrypted_ = 0;  // of HTTP, bytes whose records have not all left
};

}  // namespace magneto::server::http
