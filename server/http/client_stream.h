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

// The HTTP bytes between a client and its session, plain or through TLS. Works like a socket of
// Asio; a plain stream costs one check of a pointer more. For the connection's thread.
class ClientStream {
 public:
  using executor_type = system::Executor;
  using ErrorCode = boost::system::error_code;

  // `tls` is null for a plain connection.
  ClientStream(system::Socket socket, std::unique_ptr<TlsConnection> tls)
      : socket_(std::move(socket)),
        tls_(std::move(tls)),
        is_ready_(tls_ == nullptr || tls_->is_secured()) {}

  executor_type get_executor() { return socket_.get_executor(); }
  system::Socket& socket() { return socket_; }
  bool is_open() const { return socket_.is_open(); }
  bool is_tls() const { return tls_ != nullptr; }
  // False until the TLS handshake is done; other threads may work on the handshake before. Until
  // then, call only tls(), release() and close() of the functions below.
  bool is_ready() const { return is_ready_; }
  void note_ready() { is_ready_ = true; }
  // Null for a plain connection. Unsent bytes of TLS are sent with the next write.
  TlsConnection* tls() { return tls_.get(); }
  // Releases the descriptor, or -1 on an error, and its TLS connection. The stream keeps neither.
  std::pair<int, std::unique_ptr<TlsConnection>> release();

  // Whether part of a TLS record has arrived that is not complete enough to be decrypted.
  bool has_begun_record() const { return is_tls() && tls_->has_partial_record(); }
  std::size_t held_bytes() const { return is_tls() ? tls_->bytes() : 0; }

  // Writes what can be sent at once; would_block if no more can be sent. With TLS, bytes count as
  // written only after all their records were sent. So a caller must pass unwritten bytes again.
  template <typename Buffers>
  std::size_t write_some(const Buffers& buffers, ErrorCode& error) {
    return is_tls() ? write_tls(buffers, error) : socket_.write_some(buffers, error);
  }

  // May complete without an error and with 0 bytes: bytes arrived, but no complete record with
  // HTTP.
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

  // Tells the client that the server will write no more. The client may go on sending.
  void shut_down_sending();
  void close();

 private:
  // The network's bytes are read into the same buffer first, because the decrypted HTTP is never
  // longer.
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
    // Bytes that are read together are decrypted together. A larger read would occupy memory that
    // is not counted.
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
  // Sends the pending bytes of TLS, as far as possible without waiting.
  void flush(ErrorCode& error);

  system::Socket socket_;
  std::unique_ptr<TlsConnection> tls_;
  bool is_ready_;
  std::size_t encrypted_ = 0;  // HTTP bytes whose records are not all sent yet
};

}  // namespace magneto::server::http
