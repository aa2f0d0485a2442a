#include "storage/engine/rocksdb/rocksdb_warnings.h"

#include <rocksdb/env.h>

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <utility>

namespace magneto::storage {

namespace {

class WarningLog final : public rocksdb::Logger {
 public:
  WarningLog(std::string directory, std::shared_ptr<LastWarning> last)
      : Logger(rocksdb::InfoLogLevel::WARN_LEVEL),
        directory_(std::move(directory)),
        last_(std::move(last)) {}

  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    constexpr std::size_t kLongest = 512;
    std::string line(kLongest, '\0');
    const int size = std::vsnprintf(line.data(), line.size(), format, arguments);
    line.resize(std::min(static_cast<std::size_t>(std::max(size, 0)), kLongest - 1));
    const std::size_t path = line.find(directory_ + "/");
    if (path != std::string::npos) last_->set(line.substr(path));
  }

 private:
  const std::string directory_;
  const std::shared_ptr<LastWarning> last_;
};

}  // namespace

void LastWarning::set(std::string warning) {
  const std::lock_guard lock(mutex_);
  text_ = std::move(warning);
}

std::string LastWarning::text() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

std::shared_ptr<rocksdb::Logger> make_warning_log(std::string directory,
                                                  std::shared_ptr<LastWarning> last) {
  return std::make_shared<WarningLog>(std::move(directory), std::move(last));
}

}  // namespace magneto::storage
