#include "server/client/objects/folder_store.h"

#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "server/client/objects/bucket_folder.h"
#include "server/client/objects/messages.h"
#include "server/formats/part_name.h"

namespace magneto::server::client {
namespace {

class FolderBucket : public Bucket {
 public:
  FolderBucket(const BucketFolder& folder, std::string name)
      : folder_(folder), name_(std::move(name)) {}

  std::vector<StoredObject> list(std::string_view prefix) override {
    return folder_.list(name_, prefix);
  }
  std::unique_ptr<ObjectFile> fetch(const StoredObject& object) override {
    std::error_code ignored;
    const auto status = std::filesystem::symlink_status(object.path, ignored);
    if (!std::filesystem::is_regular_file(status)) {
      throw ObjectError(ObjectError::Kind::kNoKey, messages::kObjectIsGone(object.key, name_));
    }
    return std::make_unique<ObjectFile>(object.path);
  }
  std::string path_to_write(const std::string& key) override {
    return folder_.path_to_write(name_, key);
  }

  void put(const std::string& key) override {
    const std::lock_guard lock(mutex_);
    put_.push_back(key);
  }

  // Names of files last with their folder, and that with those above.
  void settle(const std::string& folder_key) override {
    const std::string bucket = folder_.path_of(name_);
    std::string path = folder_.path_to_write(name_, folder_key) + "/any";
    for (; path.size() > bucket.size(); path.resize(path.rfind('/')))
      formats::sync_folder_above(path);
  }

  void remove_written(const std::string& folder_key) override {
    const std::lock_guard lock(mutex_);
    for (const std::string& key : put_) folder_.remove_below(name_, key);
    folder_.remove_below(name_, folder_key);
  }

 private:
  const BucketFolder& folder_;
  const std::string name_;
  std::mutex mutex_;              // guards what follows
  std::vector<std::string> put_;  // keys
};

class FolderStore : public ObjectStore {
 public:
  explicit FolderStore(std::string folder) : path_(std::move(folder)), folder_(path_) {}

  std::unique_ptr<Bucket> open(BucketAccess access, std::function<bool()> /*is_over*/) override {
    return std::make_unique<FolderBucket>(folder_, std::move(access.name));
  }
  const std::string& local_folder() const override { return path_; }

 private:
  const std::string path_;
  const BucketFolder folder_;
};

}  // namespace

std::shared_ptr<ObjectStore> make_folder_store(std::string folder) {
  return std::make_shared<FolderStore>(std::move(folder));
}

}  // namespace magneto::server::client
