#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Buckets and their objects, for exports and imports. Failures to read or write objects are thrown
// as ObjectError.
namespace magneto::server::client {

// A sentence, and the kind of S3's error.
class ObjectError : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    kNoBucket,
    kNoKey,
    kDenied,
    kObject,  // of this object only: it was replaced, or there is no room for it
    kFailed,  // no answer, or not from S3; or a fault of this machine's files
  };
  ObjectError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

struct StoredObject {
  std::string key;
  std::string path{};  // of its file on this machine; empty: it has none
  std::uint64_t size = 0;
  std::string etag{};  // the version of the object; empty: not known
};

// The bucket of a job, and how the job writes there. An empty part means that it is not given.
struct BucketAccess {
  std::string name;
  std::string owner{};           // the account that must own it
  std::string encryption{};      // "AES256" or "KMS"
  std::string encryption_key{};  // of KMS
};

// A file of this machine with the object's content. It exists as long as this does.
class ObjectFile {
 public:
  explicit ObjectFile(std::string path) : path_(std::move(path)) {}
  virtual ~ObjectFile() = default;
  ObjectFile(const ObjectFile&) = delete;
  ObjectFile& operator=(const ObjectFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

// A job's access to a bucket. Thread-safe.
class Bucket {
 public:
  static constexpr std::size_t kMostObjects = 50'000;  // in one list, like AWS in an import

  Bucket() = default;
  virtual ~Bucket() = default;
  Bucket(const Bucket&) = delete;
  Bucket& operator=(const Bucket&) = delete;

  // Returns the objects whose keys begin with `prefix`, in the order of their keys; throws if there
  // are none.
  virtual std::vector<StoredObject> list(std::string_view prefix) = 0;
  // Errors of this object only are kNoKey, kDenied or kObject.
  virtual std::unique_ptr<ObjectFile> fetch(const StoredObject& object) = 0;

  // Returns the path of the file that put() turns into an object with that key. Its folder exists.
  virtual std::string path_to_write(const std::string& key) = 0;
  virtual void put(const std::string& key) = 0;
  // Makes all objects below that key, which names a folder, durable.
  virtual void settle(const std::string& folder_key) = 0;
  // Removes all objects below that key, and those that put() wrote. Leaves objects that cannot be
  // removed, and throws nothing.
  virtual void remove_written(const std::string& folder_key) = 0;
};

// In a data directory: the folder for the files of objects that are stored elsewhere. Files that
// exist at the start are from a killed process.
inline constexpr std::string_view kStagingFolder = "jobs/staging";

// Opens buckets. Thread-safe.
class ObjectStore {
 public:
  ObjectStore() = default;
  virtual ~ObjectStore() = default;
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;

  // Calls of the bucket end soon, with an error, after `is_over` returns true. Several threads call
  // it.
  virtual std::unique_ptr<Bucket> open(BucketAccess access, std::function<bool()> is_over) = 0;
  // The folder of this machine for temporary files. Clients must not see its path.
  virtual const std::string& local_folder() const = 0;
};

}  // namespace magneto::server::client
