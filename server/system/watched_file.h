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

// The parsed content of a file, read again within two seconds after a change. If a changed file
// cannot be used, the problem is reported and the previous content stays. If it cannot be read, the
// problem is reported once and the file is tried again each second. Thread-safe.
template <class Value>
class WatchedFile {
 public:
  struct Steps {
    std::function<WholeFile()> read;  // throws if the file cannot be read
    // Throws if the content cannot be used.
    std::function<std::shared_ptr<const Value>(const WholeFile&)> parse;
    std::function<void(std::string_view why)> kept;  // called when the previous content stays
  };

  // Throws the exceptions of the steps. The watch's thread calls the steps, one at a time.
  WatchedFile(const std::string& file, Steps steps) : steps_(std::move(steps)), watch_({file}) {
    current_ = steps_.parse(steps_.read());
    watch_.start([this] { return reload(); });
  }

  // The content in use now. The returned value does not change when the file does.
  std::shared_ptr<const Value> current() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }

 private:
  // False if the file cannot be read now.
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
