#include "storage/engine/log_space.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "storage/engine/engine.h"

namespace magneto::storage {

LogSpace::LogSpace(std::string spare_path) : spare_path_(std::move(spare_path)) {
  const int error = make_spare();
  is_supported_ = error != EOPNOTSUPP;
  if (error != 0 && is_supported_) {
    throw EngineError("cannot allocate disk space in " + spare_path_ + ": " +
                      std::generic_category().message(error));
  }
  is_ample_ = true;
}

LogSpace::~LogSpace() { ::unlink(spare_path_.c_str()); }

bool LogSpace::replenish() {
  std::lock_guard lock(mutex_);
  update();
  return is_ample_;
}

std::string LogSpace::take_spare() {
  std::lock_guard lock(mutex_);
  return std::exchange(has_spare_, false) ? spare_path_ : std::string();
}

void LogSpace::set_current(GrowingLog* log) {
  std::lock_guard lock(mutex_);
  current_ = log;
  update();
}

void LogSpace::leave(const GrowingLog* log) {
  std::lock_guard lock(mutex_);
  if (current_ == log) current_ = nullptr;
}

void LogSpace::update() {
  if (!has_spare_) make_spare();
  is_ample_ = has_spare_ && (current_ == nullptr || current_->allocate_ahead());
}

int LogSpace::make_spare() {
  const int file = ::open(spare_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return errno;
  const int error = ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, kAhead) == 0 ? 0 : errno;
  ::close(file);
  has_spare_ = error == 0;
  return error;
}

}  // namespace magneto::storage
