#include "server/system/log_messages.h"

#include <fmt/format.h>

namespace magneto::server::system::messages {

std::string fault(std::string_view operation, std::string_view request_id, std::string_view why) {
  return fmt::format("fault in {} (request {}): {}", operation, request_id, why);
}

std::string repeated(std::string_view message, std::uint64_t left_out) {
  return fmt::format("{} (and {} others left out before)", message, left_out);
}

std::string access_log_stays(std::string_view path, std::string_view why) {
  return fmt::format("cannot open the access log {} anew: {}", path, why);
}

std::string access_log_lost(std::string_view why) {
  return fmt::format("lines of the access log were lost: {}", why);
}

std::string not_notified(std::string_view state, std::string_view why) {
  return fmt::format("cannot tell the service manager {}: {}", state, why);
}

std::string no_connection_now(std::string_view why) {
  return fmt::format("cannot accept a connection now: {}", why);
}

std::string connection_fault(std::string_view why) {
  return fmt::format("connection ended by a fault: {}", why);
}

std::string event_loop_fault(std::string_view why) { return fmt::format("event loop: {}", why); }

std::string no_io_thread(std::string_view why) {
  return fmt::format("no further I/O thread: {}", why);
}

std::string no_worker_thread(std::string_view why) {
  return fmt::format("no further worker thread: {}", why);
}

std::string no_memory_watch(std::string_view why) {
  return fmt::format("no thread to watch memory: {}", why);
}

std::string no_clock_watch(std::string_view why) {
  return fmt::format("steps of the system's clock are noticed late: {}", why);
}

std::string hung_up(std::size_t clients) {
  if (clients == 1) {
    return "hung up on 1 slow client: the memory for requests under way and for answers that are not taken is full";
  }
  return fmt::format(
      "hung up on {} slow clients: the memory for requests under way and for answers that are not taken is full",
      clients);
}

std::string writes_refused(std::uint64_t megabytes, std::uint64_t limit) {
  return fmt::format(
      "{} MB of the memory limit of {} MB are taken: writes that add data are refused", megabytes,
      limit);
}

std::string writes_taken(std::uint64_t megabytes, std::uint64_t limit) {
  return fmt::format("{} MB of the memory limit of {} MB are taken: writes are taken again",
                     megabytes, limit);
}

}  // namespace magneto::server::system::messages
