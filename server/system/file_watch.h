#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace magneto::server::system {

// Checks once a second, on its own thread, whether files have changed: in place, by replacement, or
// behind a symbolic link. A file that is still being written does not count as changed: two checks
// in a row must agree.
class FileWatch {
 public:
  // Records the files' state now, so that a change between construction and start() is noticed too.
  explicit FileWatch(std::vector<std::string> files);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // Returns whether the change was handled. If not, it is called again a second later, until it
  // succeeds or the files have their previous state again.
  using Changed = std::function<bool()>;
  // From now on, calls `changed` on the watch's thread after each change. It must not throw. Throws
  // std::system_error if no thread can be started.
  void start(Changed changed);

 private:
  // The state of a file: device, inode, size, times of content and status; nullopt if it does not
  // exist.
  using State = std::optional<std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t,
                                         std::int64_t, std::int64_t, std::int64_t>>;

  static State look_at(const std::string& file);
  std::vector<State> look() const;
  void run();

  const std::vector<std::string> files_;
  // Only run() uses these once it runs.
  std::vector<State> seen_;  // the state that changed_ handled last
  std::vector<State> last_;  // at the last look
  Changed changed_;
  std::mutex mutex_;  // guards stopping_
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace magneto::server::system
