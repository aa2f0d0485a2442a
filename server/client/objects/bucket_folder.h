#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "server/client/objects/object_store.h"

namespace magneto::server::client {

// A folder that stands for S3: each folder in it is a bucket, which must be there, and the files below
// that are its objects, by their paths. A name or a key that leads elsewhere, by "..", as an absolute
// path or through a link, is refused: nothing outside the folder is read or written. (Who else may
// change the folder while it is used can lead elsewhere what is his own anyway.) Thread-safe. What is wrong
// is thrown as ObjectError.
class BucketFolder {
 public:
  static constexpr std::size_t kMostObjects = Bucket::kMostObjects;
  static constexpr std::size_t kMostLookedAt = 1'000'000;

  explicit BucketFolder(std::string root) : root_(std::move(root)) {}

  // Of the bucket's folder. Throws unless it is there.
  std::string path_of(std::string_view bucket) const;

  // Where an object of that key is to be written; the folders above it are made. What has the name
  // already is for the writer to refuse.
  std::string path_to_write(std::string_view bucket, std::string_view key) const;

  // The objects whose keys begin with `prefix`, in the order of their keys; at least one. Links, and
  // files that an export has not written to their end (part_name.h), are none.
  std::vector<StoredObject> list(std::string_view bucket, std::string_view prefix) const;

  // Removes all objects below a folder, and the folder. What cannot be removed stays: throws nothing.
  void remove_below(std::string_view bucket, std::string_view folder_key) const;

 private:
  const std::string root_;
};

}  // namespace magneto::server::client
