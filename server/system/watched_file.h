#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "server/system/file_watch.h"
#include "server/system/whole_file.h"

namespace magneto::server::system {

// What a file says, read again within a second or two of a change. A changed file that cannot be
// used is told of, and what was read before stays; one that cannot be read is tried again each
// second, and told of once. Thread-safe.
template <class Value>
class WatchedFile {
 public:
  struct Steps {
    std::function<WholeFile()> read;  // throws when it cannot be read
    // Throws when it cannot be used.
    std::function<std::shared_ptr<const Value>(const WholeFile&)> parse;
    std::function<void(std::string_view why)> kept;  // is told why what was read before stays
  };

  // Throws what the steps throw. They are called on the thread that watches, one at a time.
  WatchedFile(const std::string& file, Steps steps) : steps_(std::move(steps)), watch_({file}) {
    current_ = steps_.parse(steps_.read());
    watch_.start([this] { return reload(); });
  }

  // What is in use now; stays as it is however the file changes.
  std::shared_ptr<const Value> current() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }

 private:
  // False: the file cannot be read now.
  bool reload() noexcept {
    WholeFile file;
    try {
      file = steps_.read();
      told_of_reading_ = false;
    } catch (const std::exception& error) {
      if (!told_of_reading_) steps_.kept(error.what());
      told_of_reading_ = true;
      return false;
    }
    try {
      std::shared_ptr<const Value> value = steps_.parse(file);
      const std::lock_guard lock(mutex_);
      current_.swap(value);
    } catch (const std::exception& error) {
      steps_.kept(error.what());
    }
    return true;
  }

  const Steps steps_;
  bool told_of_reading_ = false;
  mutable std::mutex mutex_;  // guards current_
  std::shared_ptr<const Value> current_;
  FileWatch watch_;  // the last member: its thread uses the others
};

}  // namespace magneto::server::system
