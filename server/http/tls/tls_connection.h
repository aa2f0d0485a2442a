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

// TLS of one connection: bytes of the network on the one side, of HTTP on the other. Touches no
// socket and never waits, so any thread can do any part, one at a time.
class TlsConnection {
 public:
  // A handshake's bytes from the client, a ClientHello with large keys included.
  static constexpr std::size_t kMaxHandshakeBytes = 64 * 1024;
  // What an open connection takes, beside bytes(): 16 KB were measured. While it shakes hands it is
  // 48 KB.
  static constexpr std::size_t kOpenBytes = 16 * 1024;
  // RFC 8446, 5.1: content of one record.
  static constexpr std::size_t kMaxRecord = 16 * 1024;
  // Of the network's bytes, what is decrypted by one call of read().
  static constexpr std::size_t kReadAtOnce = kMaxRecord + 256;
  // RFC 8446, 5.1: the first byte of a handshake.
  static constexpr char kHandshakeRecord = 0x16;

  enum class Step : std::uint8_t { kNeedsMore, kDone, kFailed };

  // `credentials` must outlive it. Cheap: the rest is made by the handshake.
  explicit TlsConnection(TlsCredentials& credentials);
  ~TlsConnection();
  TlsConnection(const TlsConnection&) = delete;
  TlsConnection& operator=(const TlsConnection&) = delete;

  // Takes what the client has sent.
  void receive(std::string_view bytes);
  // What is kept of that.
  std::size_t received_bytes() const { return in_.capacity(); }
  // Of what the client is to be sent, what is not sent yet; it may grow with each call of the
  // others.
  std::string_view unsent() const { return std::string_view(out_).substr(sent_); }
  void note_sent(std::size_t bytes);

  // The handshake as far as it goes with what was received. Takes up to milliseconds: the server
  // signs here.
  Step shake_hands();
  // It would go further now.
  bool has_whole_record() const;
  bool is_secured() const { return secured_; }
  // Why it failed, in OpenSSL's words.
  const std::string& problem() const { return problem_; }

  // ---- after the handshake ---------------------------------------------------------------------

  enum class State : std::uint8_t { kOpen, kEnded, kFailed };

  // The next bytes of HTTP; 0 when there are none yet, or no more, which state() tells. Takes no
  // more than a millisecond or two: has_unread() tells whether to call it again.
  std::size_t read(char* into, std::size_t size);
  bool has_unread() const;
  // A record has begun to come.
  bool has_partial_record() const;

  // Encrypts from the beginning of `parts`; how many bytes of them. 0 only when it failed.
  std::size_t write(std::span<const boost::asio::const_buffer> parts);
  // Says that nothing more will be written (close_notify).
  void end();

  // kEnded: the client has said that it sends no more. kFailed: what came was no TLS, or too much
  // of it without a byte of HTTP.
  State state() const { return state_; }

  // What is held for the client, in bytes.
  std::size_t bytes() const;

 private:
  friend struct TlsWire;

  static constexpr std::size_t kWrittenAtOnce = 4 * kMaxRecord;
  // Empty records, alerts, new keys: what a client can send without asking for anything.
  static constexpr std::size_t kMaxQuietBytes = 64 * 1024;
  // Of answers to such.
  static constexpr std::size_t kMaxUnsent = 64 * 1024;

  Step fail();
  std::size_t whole_records() const;

  TlsCredentials& credentials_;
  ssl_st* ssl_ = nullptr;
  std::string in_;  // received, taken up to taken_
  std::string out_;
  std::size_t taken_ = 0;
  std::size_t sent_ = 0;
  std::size_t allowed_ = 0;      // of in_, what OpenSSL may take now
  std::size_t quiet_bytes_ = 0;  // of the handshake, or since the last byte of HTTP
  bool secured_ = false;
  State state_ = State::kOpen;
  std::string problem_;
};

}  // namespace magneto::server::http
