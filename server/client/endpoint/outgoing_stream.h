#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "server/client/endpoint/endpoint_url.h"
#include "server/client/endpoint/patience.h"

namespace magneto::server::client {

// The certificates that a TLS client trusts: the system's, and those of a file. Threads may share
// it.
class TrustedCertificates;
// `ca_file` is PEM; empty: only the system's. Throws std::runtime_error with a sentence.
std::shared_ptr<TrustedCertificates> load_certificates(const std::string& ca_file);

// A request has no answer. Its what() is a sentence.
class ConnectionError : public std::runtime_error {
 public:
  enum class Kind {
    kUnreachable,  // nothing was sent
    kLost,         // the request may have been carried out
    kTimedOut,     // the same; the endpoint was silent for long
    kUntrusted,    // the certificate is not the host's; a retry does not help
    kUnsendable,   // a field has bytes that would end it; nothing was sent
  };
  ConnectionError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// The bytes of a client's connection, plain or with TLS. It has one descriptor. For one thread at a
// time. Calls block and throw ConnectionError.
class OutgoingStream {
 public:
  OutgoingStream() = default;
  virtual ~OutgoingStream() = default;
  OutgoingStream(const OutgoingStream&) = delete;
  OutgoingStream& operator=(const OutgoingStream&) = delete;

  // Reads at least one byte, and returns the number of bytes; 0: the server sends no more.
  virtual std::size_t read(std::span<char> into, Patience& patience) = 0;
  // Writes all bytes.
  virtual void write(std::string_view bytes, Patience& patience) = 0;
  // Between exchanges: whether the server has closed the connection, or sent unexpected bytes.
  virtual bool is_stale() = 0;
};

// Connects to each address of the host in turn, with `time` for each, and the same for the TLS
// handshake. The system limits the time to look up the name (resolv.conf). `certificates` is only
// for an address with TLS. Throws ConnectionError.
std::unique_ptr<OutgoingStream> connect_stream(const EndpointUrl& url,
                                               TrustedCertificates* certificates,
                                               std::chrono::milliseconds time,
                                               const std::function<bool()>& is_over);

}  // namespace magneto::server::client
