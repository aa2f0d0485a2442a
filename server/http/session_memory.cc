#include "server/http/session_memory.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <chrono>

#include "server/http/listen_socket.h"

namespace magneto::server::http {
namespace {

// The memory that a connection may hold without being counted.
constexpr std::size_t kUncountedBytes = 16 * 1024;
// An answer up to this length is not counted while it waits to be written.
constexpr std::size_t kUnnotedBytes = 64 * 1024;
// A client that moves less than this does not count as moving.
constexpr std::size_t kProgressBytes = 32 * 1024;
// The memory that the system may keep for a connection that stands still: both buffers, each twice
// its size.
constexpr std::size_t kSystemBytes = 2 * (kSendBufferBytes + kReceiveBufferBytes);

// The memory of the system for bytes that the other side has not taken; 0 if they are few.
std::size_t bytes_unsent(int descriptor) {
  int bytes = 0;
  if (::ioctl(descriptor, SIOCOUTQ, &bytes) != 0) return 0;
  const auto unsent = static_cast<std::size_t>(std::max(bytes, 0));
  return unsent > kUncountedBytes ? 2 * unsent : 0;
}

// SessionGroup::now(), exact to the millisecond.
std::int64_t exact_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

SessionMemory::SessionMemory(ConnectionMemoryBudget& held_memory,
                             ConnectionMemoryBudget::Owner& owner, system::Socket& socket)
    : held_memory_(held_memory), socket_(socket), part_(owner, socket.native_handle()) {}

bool SessionMemory::hold_request(std::size_t bytes) {
  bytes += unsent_;
  if (bytes <= std::max(part_.bytes(), kUncountedBytes)) return true;
  return held_memory_.ask(part_, bytes, exact_now());
}

void SessionMemory::keep_request() {
  if (part_.bytes() != 0) held_memory_.keep(part_);
}

void SessionMemory::note_answer(std::size_t bytes) {
  if (bytes > std::max(part_.bytes(), kUnnotedBytes)) held_memory_.note(part_, bytes);
}

void SessionMemory::hold_answer(std::size_t bytes) {
  held_memory_.demand(part_, bytes + kSystemBytes, exact_now());
}

// A client may request as much as the system's buffers take, and never read. So those bytes count.
void SessionMemory::hold_unsent(std::size_t written) {
  unchecked_ += written;
  if (unsent_ != 0 || unchecked_ > kUncountedBytes) {
    unchecked_ = 0;
    unsent_ = bytes_unsent(socket_.native_handle());
  }
  if (unsent_ == 0) {
    release();
  } else {
    held_memory_.demand(part_, unsent_, exact_now());
  }
}

void SessionMemory::hold_unsent_of_others() { hold_unsent(kUncountedBytes + 1); }

void SessionMemory::check_unsent() {
  if (unsent_ == 0) return;
  const std::size_t unsent = bytes_unsent(socket_.native_handle());
  if (unsent != 0 && unsent + kProgressBytes > unsent_) return;
  hold_unsent(0);
}

void SessionMemory::note_progress(std::size_t bytes) {
  progress_ += bytes;
  if (progress_ < kProgressBytes) return;
  progress_ = 0;
  if (part_.bytes() != 0) held_memory_.moved(part_, exact_now());
}

void SessionMemory::release() {
  if (part_.bytes() != 0) held_memory_.release(part_);
}

}  // namespace magneto::server::http
