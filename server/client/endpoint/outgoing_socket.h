#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/client/endpoint/outgoing_stream.h"
#include "server/system/descriptor.h"

struct addrinfo;

namespace magneto::server::client {

// A TCP connection.
class OutgoingSocket final : public OutgoingStream {
 public:
  // As connect_stream().
  OutgoingSocket(const EndpointUrl& url, std::chrono::milliseconds time,
                 const std::function<bool()>& is_over);

  std::size_t read(std::span<char> into, Patience& patience) override;
  void write(std::string_view bytes, Patience& patience) override;
  bool is_stale() override;

  // The connected, non-blocking socket, for another owner.
  system::Descriptor release() && { return std::move(socket_); }
  // For TLS: the socket does not block.
  int descriptor() const { return socket_.get(); }
  // Waits for `events` of poll(2).
  void wait(short events, Patience& patience);
  // Throws if the patience has ended. Call it in each loop that bytes may keep running without an
  // end.
  void look(Patience& patience) const;
  // Requests use the connection from now on. Failures before this call are kUnreachable.
  void note_ready() { is_ready_ = true; }
  // Makes the system acknowledge the next bytes at once. Some servers send head and body apart
  // (Python's), and keep the body back until the head is acknowledged. The system would delay that
  // for 40 ms.
  void acknowledge_at_once();
  [[noreturn]] void lose(std::string_view why) const;
  [[noreturn]] void lose(int error) const;

 private:
  void connect_to(const addrinfo& address, Patience& patience);

  const std::string address_;
  system::Descriptor socket_;
  bool is_ready_ = false;
};

}  // namespace magneto::server::client
