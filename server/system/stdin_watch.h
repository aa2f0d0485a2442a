#pragma once

#include <stop_token>

namespace magneto::server::system {

// Requests a stop at the end of this process's standard input: when the last process that holds the
// other end of its pipe has closed it or has died, or when it cannot be read. Discards all input. The
// thread that reads lasts as long as the process, because such a read cannot be cancelled.
std::stop_token watch_stdin();

}  // namespace magneto::server::system
