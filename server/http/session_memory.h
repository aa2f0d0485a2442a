#pragma once

#include <cstddef>
#include <cstdint>

#include "server/http/connection_memory_budget.h"
#include "server/system/coroutine.h"

namespace magneto::server::http {

// What one connection makes the server hold: a request that is not whole yet, an answer that is not
// taken yet, here and in the system's buffers. Sizes are in bytes; small ones are not counted. Not
// thread-safe: for the connection's thread, or the worker that it waits for.
class SessionMemory {
 public:
  SessionMemory(ConnectionMemoryBudget& held_memory, ConnectionMemoryBudget::Owner& owner,
                system::Socket& socket);
  ~SessionMemory() {
    release();
    held_memory_.remove_beside(beside_);
  }
  SessionMemory(const SessionMemory&) = delete;
  SessionMemory& operator=(const SessionMemory&) = delete;

  const ConnectionMemoryBudget::Part& part() const { return part_; }

  // Notes what TLS takes as long as the connection is open.
  void note_beside(std::size_t bytes) {
    held_memory_.add_beside(bytes);
    beside_ += bytes;
  }
  // Notes that a request of so many bytes will stay until the client moves. False when it must not.
  bool hold_request(std::size_t bytes);
  // The request waits for the server now.
  void keep_request();
  // Notes a long answer, with its request, that is made long before it can be written perhaps.
  void note_answer(std::size_t bytes);
  // Notes what an answer that the client does not take at once keeps in use, beside the system's
  // buffers.
  void hold_answer(std::size_t bytes);
  // After an answer of so many bytes: notes what the system still keeps of those that are written.
  void hold_unsent(std::size_t written);
  // The same when others may have written to the connection.
  void hold_unsent_of_others();
  // Between requests: looks whether the client has taken some of it meanwhile.
  void check_unsent();
  // Something that was written lies in the system's buffers, as far as is known.
  bool has_unsent() const { return unsent_ != 0; }
  // The client has taken or sent so many bytes.
  void note_progress(std::size_t bytes);
  void release();

 private:
  ConnectionMemoryBudget& held_memory_;
  system::Socket& socket_;
  ConnectionMemoryBudget::Part part_;
  std::size_t progress_ = 0;  // bytes moved since that was last told of
  std::size_t unsent_ = 0;    // of answers, in the system's buffers
  std::size_t beside_ = 0;
  std::size_t unchecked_ = 0;  // sent since that was last looked at
};

}  // namespace magneto::server::http
