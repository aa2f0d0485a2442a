#pragma once

#include <boost/asio/buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct ssl_st;

namespace magneto::server::http {

class TlsCredentials;

// The TLS of one connection, between the network's bytes and the bytes of HTTP. It uses no socket
// and never waits. Any thread may call it, but only one at a time.
class TlsConnection {
 public:
  // The maximum of bytes that a client may send for a handshake, with room for large keys.
  static constexpr std::size_t kMaxHandshakeBytes = 64 * 1024;
  // The memory of an open connection beside bytes(): 16 KB as measured. During the handshake it is
  // 48 KB.
  static constexpr std::size_t kOpenBytes = 16 * 1024;
  // RFC 8446, 5.1: the maximum content of one record.
  static constexpr std::size_t kMaxRecord = 16 * 1024;
  // The maximum of the network's bytes that one call of read() decrypts.
  static constexpr std::size_t kReadAtOnce = kMaxRecord + 256;
  // RFC 8446, 5.1: the first byte of a handshake.
  static constexpr char kHandshakeRecord = 0x16;

  enum class Step : std::uint8_t { kNeedsMore, kDone, kFailed };

  // `credentials` must outlive the connection. The constructor is cheap: the handshake allocates
  // the rest.
  explicit TlsConnection(TlsCredentials& credentials);
  ~TlsConnection();
  TlsConnection(const TlsConnection&) = delete;
  TlsConnection& operator=(const TlsConnection&) = delete;

  // Takes bytes from the client.
  void receive(std::string_view bytes);
  // The memory that these bytes occupy now.
  std::size_t received_bytes() const { return in_.capacity(); }
  // The bytes to send to the client. Each call of the other functions may add some.
  std::string_view unsent() const { return std::string_view(out_).substr(sent_); }
  void note_sent(std::size_t bytes);

  // Continues the handshake as far as the received bytes allow. The server signs here, which may
  // take milliseconds.
  Step shake_hands();
  // Whether shake_hands() can continue.
  bool has_whole_record() const;
  bool is_secured() const { return secured_; }
  // The cause of a failure, in OpenSSL's words.
  const std::string& problem() const { return problem_; }

  // ---- after the handshake ---------------------------------------------------------------------

  enum class State : std::uint8_t { kOpen, kEnded, kFailed };

  // Reads the next bytes of HTTP. Returns 0 if none have arrived yet or none will follow: see
  // state(). Takes at most a millisecond or two. Call it again if has_unread().
  std::size_t read(char* into, std::size_t size);
  bool has_unread() const;
  // Whether a part of a record has arrived.
  bool has_partial_record() const;

  // Encrypts bytes from the beginning of `parts`, and returns their number; 0 only on a failure.
  std::size_t write(std::span<const boost::asio::const_buffer> parts);
  // Tells the client that nothing more will be written (close_notify).
  void end();

  // kEnded: the client has announced that it sends no more. kFailed: the bytes were not TLS, or too
  // many came without a byte of HTTP.
  State state() const { return state_; }

  // The memory that is held for the client, in bytes.
  std::size_t bytes() const;

 private:
  friend struct TlsWire;

  static constexpr std::size_t kWrittenAtOnce = 4 * kMaxRecord;
  // The limit for empty records, alerts and new keys, which a client can send without a request.
  static constexpr std::size_t kMaxQuietBytes = 64 * 1024;
  // The limit for the unsent answers to them.
  static constexpr std::size_t kMaxUnsent = 64 * 1024;

  Step fail();
  std::size_t whole_records() const;

  TlsCredentials& credentials_;
  ssl_st* ssl_ = nullptr;
  std::string in_;  // received bytes; OpenSSL has read the first taken_
  std::string out_;
  std::size_t taken_ = 0;
  std::size_t sent_ = 0;
  std::size_t allowed_ = 0;      // the bytes of in_ that OpenSSL may read now
  std::size_t quiet_bytes_ = 0;  // of the handshake, or since the last byte of HTTP
  bool secured_ = false;
  State state_ = State::kOpen;
  std::string problem_;
};

}  // namespace magneto::server::http
