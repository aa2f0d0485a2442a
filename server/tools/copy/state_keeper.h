#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "server/tools/copy/copy_state.h"

namespace magneto::server::tools {

// The state of a running copy, and the file with which another process can continue it. All work in
// the file is done and acknowledged. More may have been done, which does no harm.
class StateKeeper {
 public:
  // Reads the file, if it exists. Without a path nothing is stored. Only one process at a time can
  // use a file: it holds a lock on "<path>.lock". Throws std::runtime_error with a sentence.
  explicit StateKeeper(std::string path);
  ~StateKeeper();
  StateKeeper(const StateKeeper&) = delete;
  StateKeeper& operator=(const StateKeeper&) = delete;

  // Whether the file existed.
  bool is_resumed() const { return resumed_; }
  bool has_file() const { return !path_.empty(); }

  // Thread-safe.
  CopyState state() const;
  TableState table(const std::string& name) const;
  void change(const std::function<void(CopyState&)>& change);
  void change_table(const std::string& name, const std::function<void(TableState&)>& change);

  // Replaces the file as a whole, and writes it to the disk. For one thread at a time. Throws
  // TransferFileError.
  void save();
  // The same if there are changes and the file is a second old.
  void save_if_due();

 private:
  using Clock = std::chrono::steady_clock;

  const std::string path_;
  int lock_ = -1;
  bool resumed_ = false;
  mutable std::mutex mutex_;  // guards the members below
  CopyState state_;
  bool changed_ = false;
  Clock::time_point saved_{};
};

}  // namespace magneto::server::tools
