#include "server/client/objects/s3_store.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <utility>
#include <vector>

#include "server/client/objects/messages.h"
#include "server/client/objects/s3_client.h"

namespace magneto::server::client {
namespace {

namespace fs = std::filesystem;
using Kind = ObjectError::Kind;

// A server may announce further pages without end.
constexpr std::size_t kMostPages = 1'000;
// The time to remove the objects of a failed export, and of one that the end of the server
// interrupted.
constexpr std::chrono::seconds kRemovalTime{5};
constexpr std::chrono::seconds kLastRemovalTime{1};

[[noreturn]] void fail(const std::string& path, const std::error_code& error) {
  throw ObjectError(Kind::kFailed, messages::kUnusableStaging(path, error.message()));
}
[[noreturn]] void fail(const std::string& path) {
  fail(path, std::error_code(errno, std::generic_category()));
}

// A file that the destructor removes.
class StagedFile : public ObjectFile {
 public:
  using ObjectFile::ObjectFile;
  ~StagedFile() override {
    std::error_code ignored;
    fs::remove(path(), ignored);
  }
};

// Creates a new folder that only its owner can read.
std::string make_folder(const std::string& above) {
  std::error_code error;
  fs::create_directories(above, error);
  if (error) fail(above, error);
  std::string path = above + "/magneto-s3-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) fail(path);
  return path;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail(path);
  return text;
}

// The clients of a job's threads. A thread takes a free one, or makes one.
class Clients {
 public:
  Clients(std::shared_ptr<const S3Location> place, BucketAccess access,
          std::function<bool()> is_over)
      : place_(std::move(place)), access_(std::move(access)), is_over_(std::move(is_over)) {}

  template <typename Call>
  auto with(Call call) {
    std::unique_ptr<S3Client> client = take();
    auto result = call(*client);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(client));
    return result;
  }
  bool is_over() const { return is_over_(); }
  // A client that ends by another `is_over`.
  S3Client last(std::function<bool()> is_over) const {
    return {place_, access_, std::move(is_over)};
  }

 private:
  std::unique_ptr<S3Client> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<S3Client>(place_, access_, is_over_);
    std::unique_ptr<S3Client> client = std::move(free_.back());
    free_.pop_back();
    return client;
  }

  const std::shared_ptr<const S3Location> place_;
  const BucketAccess access_;
  const std::function<bool()> is_over_;
  std::mutex mutex_;  // guards the members below
  std::vector<std::unique_ptr<S3Client>> free_;
};

class S3Bucket : public Bucket {
 public:
  S3Bucket(const std::shared_ptr<const S3Location>& place, BucketAccess access,
           std::function<bool()> is_over, const std::string& folder)
      : name_(access.name),
        staging_(make_folder(folder)),
        clients_(place, std::move(access), std::move(is_over)) {}
  ~S3Bucket() override {
    std::error_code ignored;
    fs::remove_all(staging_, ignored);
  }

  std::vector<StoredObject> list(std::string_view prefix) override;
  std::unique_ptr<ObjectFile> fetch(const StoredObject& object) override;
  std::string path_to_write(const std::string& key) override {
    return staging_ + "/" + key.substr(key.rfind('/') + 1);
  }
  void put(const std::string& key) override;
  void settle(const std::string& /*folder_key*/) override {}  // an answered PUT lasts
  void remove_written(const std::string& folder_key) override;

 private:
  void need_room(const StoredObject& object) const;

  const std::string name_;
  const std::string staging_;
  Clients clients_;
  std::atomic<std::uint64_t> fetched_{0};
  std::mutex mutex_;              // guards the members below
  std::vector<std::string> put_;  // keys
};

std::vector<StoredObject> S3Bucket::list(std::string_view prefix) {
  std::vector<StoredObject> objects;
  std::string next;
  std::size_t pages = 0;
  do {
    S3Page page = clients_.with([&](S3Client& client) { return client.list(prefix, next); });
    next = page.next;
    for (S3Listed& listed : page.objects) {
      // Folders that consoles create.
      if (!listed.key.starts_with(prefix) || (listed.key.ends_with('/') && listed.size == 0))
        continue;
      objects.push_back(
          {.key = std::move(listed.key), .size = listed.size, .etag = std::move(listed.etag)});
    }
    if (objects.size() > kMostObjects || ++pages > kMostPages) {
      throw ObjectError(Kind::kDenied, messages::kTooManyObjects(name_, kMostObjects, prefix));
    }
  } while (!next.empty());
  if (objects.empty()) throw ObjectError(Kind::kNoKey, messages::kNoObject(name_, prefix));
  std::ranges::sort(objects, {}, &StoredObject::key);
  return objects;
}

std::unique_ptr<ObjectFile> S3Bucket::fetch(const StoredObject& object) {
  auto staged = std::make_unique<StagedFile>(staging_ + "/object-" + std::to_string(++fetched_));
  const S3Listed listed{.key = object.key, .etag = object.etag, .size = object.size};
  need_room(object);
  std::ofstream file(staged->path(), std::ios::binary | std::ios::trunc);
  for (std::uint64_t at = 0; at < object.size && file;) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(S3Client::kPieceBytes, object.size - at));
    file << clients_.with([&](S3Client& client) { return client.get(listed, at, size); });
    at += size;
  }
  if (!file.flush()) {
    const std::string why = std::generic_category().message(errno);
    throw ObjectError(Kind::kFailed, messages::kUnusableObject(object.key, name_, why));
  }
  return staged;
}

// Leaves space on the disk for other programs.
void S3Bucket::need_room(const StoredObject& object) const {
  constexpr std::uint64_t kLeft = std::uint64_t{256} << 20;
  std::error_code error;
  const fs::space_info space = fs::space(staging_, error);
  if (error || object.size + kLeft <= space.available) return;
  throw ObjectError(Kind::kObject, messages::kNoRoomToStage(object.key, name_, object.size));
}

void S3Bucket::put(const std::string& key) {
  const StagedFile file(path_to_write(key));
  const std::string body = read_file(file.path());
  {
    // Recorded before: an interrupted write may still create the object.
    const std::lock_guard lock(mutex_);
    put_.push_back(key);
  }
  clients_.with([&](S3Client& client) {
    client.put(key, body);
    return true;
  });
}

void S3Bucket::remove_written(const std::string& /*folder_key*/) {
  const auto end =
      std::chrono::steady_clock::now() + (clients_.is_over() ? kLastRemovalTime : kRemovalTime);
  const auto is_over = [end] { return std::chrono::steady_clock::now() >= end; };
  S3Client client = clients_.last(is_over);
  const std::lock_guard lock(mutex_);
  for (const std::string& key : put_) {
    try {
      if (!is_over()) client.remove(key);
    } catch (const ObjectError&) {
      // The object stays, and no summary names it: the summary is written last.
    }
  }
}

class S3Store : public ObjectStore {
 public:
  S3Store(S3Location place, std::string staging)
      : place_(std::make_shared<const S3Location>(std::move(place))),
        staging_(std::move(staging)) {}

  std::unique_ptr<Bucket> open(BucketAccess access, std::function<bool()> is_over) override {
    return std::make_unique<S3Bucket>(place_, std::move(access), std::move(is_over), staging_);
  }
  const std::string& local_folder() const override { return staging_; }

 private:
  const std::shared_ptr<const S3Location> place_;
  const std::string staging_;  // with a folder for each job
};

}  // namespace

std::shared_ptr<ObjectStore> make_s3_store(EndpointUrl url, Environment environment,
                                           const std::string& data_directory) {
  std::string staging = data_directory.empty() ? fs::temp_directory_path().string()
                                               : data_directory + "/" + std::string(kStagingFolder);
  auto certificates = url.tls ? load_certificates({}) : nullptr;
  return std::make_shared<S3Store>(
      S3Location{std::move(url), std::move(environment), std::move(certificates)},
      std::move(staging));
}

}  // namespace magneto::server::client
