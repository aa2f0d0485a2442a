#include "server/tools/copy/state_keeper.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "server/formats/messages.h"
#include "server/formats/target_file.h"
#include "server/tools/copy/messages.h"

namespace magneto::server::tools {
namespace {

constexpr std::chrono::seconds kSavingPeriod{1};

}  // namespace

StateKeeper::StateKeeper(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  if (std::filesystem::is_directory(path_)) {
    throw std::runtime_error(messages::kNoStateFile(path_));
  }
  const std::string lock_path = path_ + ".lock";
  lock_ = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock_ < 0) {
    throw std::runtime_error(
        formats::messages::kUnwritableTarget(lock_path, std::generic_category().message(errno)));
  }
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock_);
    throw std::runtime_error(messages::kStateInUse(path_));
  }
  if (!std::filesystem::exists(path_)) return;
  std::ifstream file(path_, std::ios::binary);
  auto read = read_copy_state({std::istreambuf_iterator<char>(file), {}});
  if (!read) {
    ::close(lock_);
    throw std::runtime_error(messages::kNoStateFile(path_));
  }
  state_ = std::move(*read);
  resumed_ = true;
}

StateKeeper::~StateKeeper() {
  if (lock_ >= 0) ::close(lock_);
}

CopyState StateKeeper::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

TableState StateKeeper::table(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return state_.tables.at(name);
}

void StateKeeper::change(const std::function<void(CopyState&)>& change) {
  const std::lock_guard lock(mutex_);
  change(state_);
  changed_ = true;
}

void StateKeeper::change_table(const std::string& name,
                               const std::function<void(TableState&)>& change) {
  const std::lock_guard lock(mutex_);
  change(state_.tables.at(name));
  changed_ = true;
}

void StateKeeper::save() {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    saved_ = Clock::now();
    changed_ = false;
    if (path_.empty()) return;
    text = write_copy_state(state_);
  }
  formats::TargetFile file(path_, true);
  file.append(text);
  file.keep();
}

void StateKeeper::save_if_due() {
  {
    const std::lock_guard lock(mutex_);
    if (!changed_ || Clock::now() - saved_ < kSavingPeriod) return;
  }
  save();
}

}  // namespace magneto::server::tools
