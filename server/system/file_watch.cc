#include "server/system/file_watch.h"

#include <sys/stat.h>

#include <chrono>
#include <utility>

namespace magneto::server::system {
namespace {

constexpr std::chrono::seconds kPause{1};

}  // namespace

FileWatch::FileWatch(std::vector<std::string> files)
    : files_(std::move(files)), seen_(look()), last_(seen_) {}

FileWatch::~FileWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void FileWatch::start(Changed changed) {
  changed_ = std::move(changed);
  thread_ = std::thread([this] { run(); });
}

FileWatch::State FileWatch::look_at(const std::string& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return std::tuple(status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                    status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
}

std::vector<FileWatch::State> FileWatch::look() const {
  std::vector<State> states;
  states.reserve(files_.size());
  for (const std::string& file : files_) states.push_back(look_at(file));
  return states;
}

void FileWatch::run() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kPause, [this] { return stopping_; })) {
    lock.unlock();
    std::vector<State> states = look();
    const bool is_still = states == last_;
    if (is_still && states != seen_ && changed_()) seen_ = states;
    last_ = std::move(states);
    lock.lock();
  }
}

}  // namespace magneto::server::system
