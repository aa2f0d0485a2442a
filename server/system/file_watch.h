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

// Looks once a second, on a thread of its own, whether files have changed: in place, by being
// replaced, or behind a symbolic link. What is still being written is no change yet: two looks must
// agree.
class FileWatch {
 public:
  // As of now, so that what changes between construction and start() is seen too.
  explicit FileWatch(std::vector<std::string> files);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // Whether the change was dealt with. If not, it is called again a second later, until it was or
  // the files are what they were before.
  using Changed = std::function<bool()>;
  // Calls `changed` after each change from now on, on the thread. It must not throw. Throws
  // std::system_error when there can be no thread.
  void start(Changed changed);

 private:
  // What tells one state of a file from another: device, inode, size, times of content and status;
  // nullopt: there is none.
  using State = std::optional<std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t,
                                         std::int64_t, std::int64_t, std::int64_t>>;

  static State look_at(const std::string& file);
  std::vector<State> look() const;
  void run();

  const std::vector<std::string> files_;
  // For run() alone, once it runs.
  std::vector<State> seen_;  // as they were when changed_ last dealt with them
  std::vector<State> last_;  // at the last look
  Changed changed_;
  std::mutex mutex_;  // guards stopping_
  std::condition_variable stop_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace magneto::server::system
