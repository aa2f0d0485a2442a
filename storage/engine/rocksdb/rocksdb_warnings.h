#pragma once

#include <memory>
#include <mutex>
#include <string>

namespace rocksdb {
class Logger;
}

namespace magneto::storage {

// The last warning of RocksDB that names a file: an error's status does not always do so.
// Thread-safe.
class LastWarning {
 public:
  void set(std::string warning);
  std::string text() const;  // empty: none

 private:
  mutable std::mutex mutex_;  // guards text_
  std::string text_;
};

// Stands for RocksDB's log file, whose writer would abort the process on a full disk. Keeps in
// `last` the last warning with a file of `directory`, from its path on.
std::shared_ptr<rocksdb::Logger> make_warning_log(std::string directory,
                                                  std::shared_ptr<LastWarning> last);

}  // namespace magneto::storage
