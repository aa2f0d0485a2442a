#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Buckets and the objects in them, as exports and imports want them. What keeps objects from being read or
// written is thrown as ObjectError.
namespace magneto::server::client {

// A sentence, and what S3 would call it.
class ObjectError : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    kNoBucket,
    kNoKey,
    kDenied,
    kObject,  // that one alone: it was replaced meanwhile, or there is no room for it
    kFailed,  // nobody answers, or what answers is no S3; or this machine's files
  };
  ObjectError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

struct StoredObject {
  std::string key;
  std::string path{};  // of a file that it is; empty: it is none of this machine's
  std::uint64_t size = 0;
  std::string etag{};  // which one of its key; empty: it is not said
};

// Which bucket a job is at, and how it writes there; each part empty when nothing is said of it.
struct BucketAccess {
  std::string name;
  std::string owner{};           // an account, which must own it
  std::string encryption{};      // "AES256" or "KMS"
  std::string encryption_key{};  // of KMS
};

// A file of this machine with what an object has, for as long as this lives.
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

// A job's way to a bucket. Thread-safe.
class Bucket {
 public:
  static constexpr std::size_t kMostObjects = 50'000;  // of one list, as AWS takes in an import

  Bucket() = default;
  virtual ~Bucket() = default;
  Bucket(const Bucket&) = delete;
  Bucket& operator=(const Bucket&) = delete;

  // The objects whose keys begin with `prefix`, in the order of their keys; at least one.
  virtual std::vector<StoredObject> list(std::string_view prefix) = 0;
  // What is wrong with that one alone is kNoKey, kDenied or kObject.
  virtual std::unique_ptr<ObjectFile> fetch(const StoredObject& object) = 0;

  // Where the file is to be written that put() makes an object of that key; its folder is there.
  virtual std::string path_to_write(const std::string& key) = 0;
  virtual void put(const std::string& key) = 0;
  // Everything that was put below that key, which names a folder, lasts.
  virtual void settle(const std::string& folder_key) = 0;
  // Removes what was put, and all that is below that key. What cannot be removed stays: throws
  // nothing.
  virtual void remove_written(const std::string& folder_key) = 0;
};

// Of a data directory: where files of objects lie that are elsewhere. What is there at the start was left by a
// process that was killed.
inline constexpr std::string_view kStagingFolder = "jobs/staging";

// Where buckets are. Thread-safe.
class ObjectStore {
 public:
  ObjectStore() = default;
  virtual ~ObjectStore() = default;
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;

  // Calls of the bucket end soon, with an error, once `is_over` says so; it is called by several
  // threads.
  virtual std::unique_ptr<Bucket> open(BucketAccess access, std::function<bool()> is_over) = 0;
  // A folder of this machine in which files lie meanwhile: not for clients to know.
  virtual const std::string& local_folder() const = 0;
};

}  // namespace magneto::server::client
