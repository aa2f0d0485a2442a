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

// Whom a client of TLS trusts: the system's certificates, and those of a file. Shared by threads.
class TrustedCertificates;
// `ca_file` is PEM; empty: none but the system's. Throws std::runtime_error, a sentence.
std::shared_ptr<TrustedCertificates> load_certificates(const std::string& ca_file);

// Why there is no answer: a sentence.
class ConnectionError : public std::runtime_error {
 public:
  enum class Kind {
    kUnreachable,  // nothing was sent
    kLost,         // the request may have been carried out
    kTimedOut,     // the same; the endpoint said nothing for long
    kUntrusted,    // the certificate is not that of the host; trying again does not help
    kUnsendable,   // a field has bytes that would not be a part of it; nothing was sent
  };
  ConnectionError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// A client's connection, plain or by TLS, as bytes. It has one descriptor. For one thread at a time,
// whose calls block; they throw ConnectionError.
class OutgoingStream {
 public:
  OutgoingStream() = default;
  virtual ~OutgoingStream() = default;
  OutgoingStream(const OutgoingStream&) = delete;
  OutgoingStream& operator=(const OutgoingStream&) = delete;

  // What comes next, at least a byte, and how much it was; 0: the server sends no more.
  virtual std::size_t read(std::span<char> into, Patience& patience) = 0;
  // All of it.
  virtual void write(std::string_view bytes, Patience& patience) = 0;
  // Between exchanges: the server has closed it, or sent bytes that nobody asked for.
  virtual bool is_stale() = 0;
};

// Connects to each address of the host in turn, `time` for each, and as long for TLS's handshake. How
// long it takes to look the name up is for the system to say (resolv.conf). `certificates`: for an
// address with TLS alone. Throws ConnectionError.
std::unique_ptr<OutgoingStream> connect_stream(const EndpointUrl& url,
                                               TrustedCertificates* certificates,
                                               std::chrono::milliseconds time,
                                               const std::function<bool()>& is_over);

}  // namespace magneto::server::client
