#include "server/http/tls/tls_connection.h"

#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>

#include "server/http/tls/messages.h"
#include "server/http/tls/tls_credentials.h"
#include "server/system/openssl_pointers.h"

namespace magneto::server::http {

namespace asio = boost::asio;

// OpenSSL reads and writes the buffers of a TlsConnection through these functions.
struct TlsWire {
  static int read(BIO* bio, char* into, std::size_t size, std::size_t* read) {
    BIO_clear_retry_flags(bio);
    auto& connection = *static_cast<TlsConnection*>(BIO_get_data(bio));
    const std::size_t left =
        std::min(connection.in_.size() - connection.taken_, connection.allowed_);
    *read = std::min(size, left);
    if (*read == 0) {
      BIO_set_retry_read(bio);
      return 0;
    }
    connection.in_.copy(into, *read, connection.taken_);
    connection.taken_ += *read;
    connection.allowed_ -= *read;
    return 1;
  }

  static int write(BIO* bio, const char* from, std::size_t size, std::size_t* written) {
    BIO_clear_retry_flags(bio);
    *written = 0;
    try {
      static_cast<TlsConnection*>(BIO_get_data(bio))->out_.append(from, size);
    } catch (const std::bad_alloc&) {
      return 0;
    }
    *written = size;
    return 1;
  }
};

namespace {

constexpr std::size_t kRecordHead = 5;
// The maximum for the allowed ciphers: head, explicit nonce, kind of content, tag.
constexpr std::size_t kRecordOverhead = kRecordHead + 8 + 1 + 16;
// The memory of OpenSSL for an incomplete record.
constexpr std::size_t kRecordMemory = 17 * 1024;

// Assigning an empty string would keep the memory.
void give_back(std::string& text) { std::string().swap(text); }

// The length that the head of a record announces (RFC 8446, 5.1).
std::size_t record_size(std::string_view head) {
  const auto high = static_cast<unsigned char>(head[3]);
  const auto low = static_cast<unsigned char>(head[4]);
  return kRecordHead + (std::size_t{high} << 8 | low);
}

// Returns the content of the next record from `offset` on. Joins several parts, so that head and
// body of a short answer are sent in one record.
asio::const_buffer record_at(std::size_t offset, std::span<const asio::const_buffer> parts,
                             std::span<char> scratch) {
  while (offset >= parts.front().size()) {
    offset -= parts.front().size();
    parts = parts.subspan(1);
  }
  const asio::const_buffer first = parts.front() + offset;
  if (first.size() >= scratch.size() || parts.size() == 1) {
    return asio::buffer(first, scratch.size());
  }
  std::size_t size = asio::buffer_copy(asio::buffer(scratch.data(), scratch.size()), first);
  for (const asio::const_buffer& part : parts.subspan(1)) {
    size += asio::buffer_copy(asio::buffer(scratch.data() + size, scratch.size() - size), part);
  }
  return {scratch.data(), size};
}

}  // namespace

TlsConnection::TlsConnection(TlsCredentials& credentials) : credentials_(credentials) {}

TlsConnection::~TlsConnection() { SSL_free(ssl_); }

void TlsConnection::receive(std::string_view bytes) {
  if (taken_ == in_.size()) {
    in_.clear();
    taken_ = 0;
  }
  in_.append(bytes);
  if (!secured_) quiet_bytes_ += bytes.size();
}

void TlsConnection::note_sent(std::size_t bytes) {
  sent_ += bytes;
  if (sent_ < out_.size()) return;
  give_back(out_);
  sent_ = 0;
}

TlsConnection::Step TlsConnection::fail() {
  problem_ = system::take_openssl_error();
  state_ = State::kFailed;
  return Step::kFailed;
}

TlsConnection::Step TlsConnection::shake_hands() {
  if (quiet_bytes_ > kMaxHandshakeBytes) {
    problem_ = messages::kLongHandshake;
    state_ = State::kFailed;
    return Step::kFailed;
  }
  ERR_clear_error();
  try {
    if (ssl_ == nullptr) {
      ssl_ = SSL_new(credentials_.context().get());
      if (ssl_ == nullptr) return fail();
      BIO* const wire = system::make_bio<TlsWire::read, TlsWire::write>(this);
      SSL_set_bio(ssl_, wire, wire);
      SSL_set_accept_state(ssl_);
    }
  } catch (const std::exception&) {
    return fail();
  }
  allowed_ = whole_records();
  const int result = SSL_do_handshake(ssl_);
  if (taken_ == in_.size()) {
    give_back(in_);
    taken_ = 0;
  }
  if (result == 1) {
    quiet_bytes_ = 0;
    secured_ = true;
    return Step::kDone;
  }
  return SSL_get_error(ssl_, result) == SSL_ERROR_WANT_READ ? Step::kNeedsMore : fail();
}

// OpenSSL gets only whole records, so that the remaining bytes begin with a record's head. A record
// that is too long is passed incomplete: OpenSSL then reports it.
std::size_t TlsConnection::whole_records() const {
  std::string_view left = std::string_view(in_).substr(taken_);
  const std::size_t received = left.size();
  while (left.size() >= kRecordHead && left.size() >= record_size(left)) {
    left.remove_prefix(record_size(left));
  }
  return left.size() == received ? received : received - left.size();
}

bool TlsConnection::has_whole_record() const {
  const std::string_view left = std::string_view(in_).substr(taken_);
  return left.size() >= kRecordHead && left.size() >= std::min(record_size(left), kRecordMemory);
}

std::size_t TlsConnection::read(char* into, std::size_t size) {
  if (state_ != State::kOpen) return 0;
  ERR_clear_error();
  allowed_ = kReadAtOnce;
  const std::size_t taken_before = taken_;
  std::size_t total = 0;
  bool failed = false;
  // A call of OpenSSL without data costs as much as reading a record.
  while (!failed && total < size && (total == 0 || has_unread())) {
    std::size_t read = 0;
    failed = SSL_read_ex(ssl_, into + total, size - total, &read) != 1;
    total += read;
  }
  if (failed) {
    const int error = SSL_get_error(ssl_, 0);
    if (error == SSL_ERROR_ZERO_RETURN) {
      state_ = State::kEnded;
    } else if (error != SSL_ERROR_WANT_READ) {
      fail();
    }
  }
  quiet_bytes_ = total != 0 ? 0 : quiet_bytes_ + (taken_ - taken_before);
  if (taken_ == in_.size()) {
    give_back(in_);
    taken_ = 0;
  }
  if (quiet_bytes_ > kMaxQuietBytes || out_.size() > kMaxUnsent) state_ = State::kFailed;
  return total;
}

bool TlsConnection::has_unread() const {
  return state_ != State::kOpen || taken_ < in_.size() || SSL_pending(ssl_) > 0;
}

bool TlsConnection::has_partial_record() const {
  // "RB": the head of a record has been read, its body not.
  return SSL_has_pending(ssl_) == 1 || SSL_rstate_string(ssl_)[1] == 'B';
}

std::size_t TlsConnection::write(std::span<const asio::const_buffer> parts) {
  std::array<char, kMaxRecord> scratch;  // on the stack, so that unused bytes cost nothing
  const std::size_t whole = std::min(asio::buffer_size(parts), kWrittenAtOnce);
  out_.reserve(out_.size() + whole + (whole / kMaxRecord + 1) * kRecordOverhead);
  ERR_clear_error();
  std::size_t total = 0;
  while (total < whole) {
    const asio::const_buffer record = record_at(total, parts, scratch);
    std::size_t written = 0;
    if (state_ == State::kFailed ||
        SSL_write_ex(ssl_, record.data(), record.size(), &written) != 1) {
      fail();
      return 0;
    }
    total += written;
  }
  return total;
}

void TlsConnection::end() {
  if (!secured_ || state_ == State::kFailed) return;
  ERR_clear_error();
  SSL_shutdown(ssl_);
  ERR_clear_error();
}

std::size_t TlsConnection::bytes() const {
  return in_.capacity() + out_.capacity() + (has_partial_record() ? kRecordMemory : 0);
}

}  // namespace magneto::server::http
