#include "server/http/client_stream.h"

#include <new>
#include <string_view>

namespace magneto::server::http {

namespace asio = boost::asio;

std::pair<int, std::unique_ptr<TlsConnection>> ClientStream::release() {
  ErrorCode error;
  const int descriptor = socket_.release(error);
  return {error ? -1 : descriptor, std::move(tls_)};
}

void ClientStream::shut_down_sending() {
  ErrorCode ignored;
  if (is_tls()) {
    tls_->end();
    flush(ignored);
  }
  socket_.shutdown(system::Socket::shutdown_send, ignored);
}

void ClientStream::close() {
  ErrorCode ignored;
  if (is_tls() && is_ready_ && is_open()) {
    tls_->end();
    flush(ignored);
  }
  socket_.close(ignored);
}

void ClientStream::flush(ErrorCode& error) {
  while (!error && !tls_->unsent().empty()) {
    const std::string_view bytes = tls_->unsent();
    tls_->note_sent(socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error));
  }
}

std::size_t ClientStream::decrypt(asio::mutable_buffer into, std::size_t received,
                                  ErrorCode& error) {
  if (!socket_.is_open()) {
    error = asio::error::operation_aborted;
    return 0;
  }
  std::size_t size = 0;
  try {
    tls_->receive({static_cast<const char*>(into.data()), received});
    size = tls_->read(static_cast<char*>(into.data()), into.size());
  } catch (const std::bad_alloc&) {
    // Report it as an error: no coroutine is here that could end with the exception.
    error = asio::error::no_memory;
    return 0;
  }
  // Send alerts and new keys. On an error they wait for the next answer.
  if (!tls_->unsent().empty() && encrypted_ == 0) {
    ErrorCode ignored;
    flush(ignored);
  }
  if (size == 0 && tls_->state() != TlsConnection::State::kOpen) error = asio::error::eof;
  return size;
}

std::size_t ClientStream::encrypt(std::span<const asio::const_buffer> parts, ErrorCode& error) {
  if (encrypted_ == 0) {
    try {
      encrypted_ = tls_->write(parts);
    } catch (const std::bad_alloc&) {
      error = asio::error::no_memory;
      return 0;
    }
    if (encrypted_ == 0) {
      error = asio::error::connection_aborted;
      return 0;
    }
  }
  flush(error);
  return error ? 0 : std::exchange(encrypted_, 0);
}

}  // namespace magneto::server::http
