#pragma once

#include <memory>
#include <mutex>
#include <string>

namespace rocksdb {
class Logger;
}

namespace magneto::storage {

// RocksDB's last warning that names a file: the status of an error does not always name it.
// Thread-safe.
class LastWarning {
 public:
  void set(std::string warning);
  std::string text() const;  // empty: none

 private:
  mutable std::mutex mutex_;  // guards text_
  std::string text_;
};

// Replaces RocksDB's log file, whose writer would abort the process on a full disk. Stores in
// `last` the last warning that names a file of `directory`, starting at the path.
std::shared_ptr<rocksdb::Logger> make_warning_log(std::string directory,
                                                  std::shared_ptr<LastWarning> last);

}  // namespace magneto::storage
