#pragma once

#include <cstddef>
#include <cstdint>

#include "server/http/connection_memory_budget.h"
#include "server/system/coroutine.h"

namespace magneto::server::http {

// The memory that the server holds for one connection: an incomplete request, and an answer that
// the client has not taken, here and in the system's buffers. Sizes are in bytes; small sizes are
// not counted. Not thread-safe: for the connection's thread, or the worker for which it waits.
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

  // Counts the memory that TLS needs as long as the connection is open.
  void note_beside(std::size_t bytes) {
    held_memory_.add_beside(bytes);
    beside_ += bytes;
  }
  // Counts a request that stays until the client moves. Returns false if there is no room for it.
  bool hold_request(std::size_t bytes);
  // The request now waits for the server.
  void keep_request();
  // Counts a long answer and its request, which may be written much later.
  void note_answer(std::size_t bytes);
  // Counts the memory of an answer that the client does not take at once, beside the system's
  // buffers.
  void hold_answer(std::size_t bytes);
  // Call this after an answer. Counts the written bytes that the system still keeps.
  void hold_unsent(std::size_t written);
  // The same if others may have written to the connection.
  void hold_unsent_of_others();
  // Call this between requests. Counts again if the client has taken bytes.
  void check_unsent();
  // Whether the system's buffers have unsent bytes, as of the last check.
  bool has_unsent() const { return unsent_ != 0; }
  // Call this when the client has taken or sent bytes.
  void note_progress(std::size_t bytes);
  void release();

 private:
  ConnectionMemoryBudget& held_memory_;
  system::Socket& socket_;
  ConnectionMemoryBudget::Part part_;
  std::size_t progress_ = 0;  // bytes moved since the budget was last notified
  std::size_t unsent_ = 0;    // bytes of answers in the system's buffers
  std::size_t beside_ = 0;
  std::size_t unchecked_ = 0;  // bytes sent since the last check
};

}  // namespace magneto::server::http
