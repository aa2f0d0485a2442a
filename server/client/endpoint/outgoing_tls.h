#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "server/client/endpoint/outgoing_socket.h"

struct ssl_st;

namespace magneto::server::client {

// TLS over a socket, with a server that is whom its address names.
class OutgoingTls final : public OutgoingStream {
 public:
  // As connect_stream().
  OutgoingTls(const EndpointUrl& url, TrustedCertificates& certificates,
              std::chrono::milliseconds time, const std::function<bool()>& is_over);
  ~OutgoingTls() override;

  std::size_t read(std::span<char> into, Patience& patience) override;
  void write(std::string_view bytes, Patience& patience) override;
  bool is_stale() override;

 private:
  template <typename Call>
  bool run(Patience& patience, Call call);
  void shake_hands(const EndpointUrl& url, Patience& patience);

  OutgoingSocket socket_;
  ssl_st* tls_ = nullptr;
};

}  // namespace magneto::server::client
