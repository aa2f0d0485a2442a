#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server {

// What keeps objects from being read or written: a sentence, and what S3 would call it.
class ObjectError : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t { kNoBucket, kNoKey, kDenied };
  ObjectError(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

struct StoredObject {
  std::string key;
  std::string path;
};

// A folder that stands for S3: each folder in it is a bucket, which must be there, and the files below
// that are its objects, by their paths. A name or a key that leads elsewhere, by "..", as an absolute
// path or through a link, is refused: nothing outside the folder is read or written. (Who else may
// change the folder while it is used can lead elsewhere what is his own anyway.) Thread-safe. What is wrong
// is thrown as ObjectError.
class BucketFolder {
 public:
  static constexpr std::size_t kMostObjects = 50'000;  // of one list, as AWS takes in an import
  static constexpr std::size_t kMostLookedAt = 1'000'000;

  explicit BucketFolder(std::string root) : root_(std::move(root)) {}

  // Throws unless the bucket is there.
  void check(std::string_view bucket) const { path_of(bucket); }

  // Where an object of that key is to be written; the folders above it are made. What has the name
  // already is for the writer to refuse.
  std::string path_to_write(std::string_view bucket, std::string_view key) const;

  // The objects whose keys begin with `prefix`, in the order of their keys; at least one. Links, and
  // files that are not written to their end (*.part), are none.
  std::vector<StoredObject> list(std::string_view bucket, std::string_view prefix) const;

  // Removes all objects below a folder, and the folder. What cannot be removed stays: throws nothing.
  void remove_below(std::string_view bucket, std::string_view folder_key) const;

 private:
  std::string path_of(std::string_view bucket) const;

  const std::string root_;
};

}  // namespace magneto::server
