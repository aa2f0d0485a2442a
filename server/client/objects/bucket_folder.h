#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "server/client/objects/object_store.h"

namespace magneto::server::client {

// A folder in place of S3. Each folder in it is a bucket, which must exist. The files below a
// bucket are its objects, with their paths as keys. A name or key that leads elsewhere is refused:
// with "..", as an absolute path or through a link. So nothing outside the folder is read or
// written. Another process that changes the folder at the same time can evade this, but only with
// files that it could reach anyway. Thread-safe. Errors are thrown as ObjectError.
class BucketFolder {
 public:
  static constexpr std::size_t kMostObjects = Bucket::kMostObjects;
  static constexpr std::size_t kMostLookedAt = 1'000'000;

  explicit BucketFolder(std::string root) : root_(std::move(root)) {}

  // The path of the bucket's folder. Throws unless it exists.
  std::string path_of(std::string_view bucket) const;

  // Returns the path for an object with that key, and creates the folders above it. The writer must
  // refuse an existing file.
  std::string path_to_write(std::string_view bucket, std::string_view key) const;

  // Returns the objects whose keys begin with `prefix`, in the order of their keys; throws if there
  // are none. Skips links, and files that an export has not finished (part_name.h).
  std::vector<StoredObject> list(std::string_view bucket, std::string_view prefix) const;

  // Removes all objects below a folder, and the folder. Leaves files that cannot be removed, and
  // throws nothing.
  void remove_below(std::string_view bucket, std::string_view folder_key) const;

 private:
  const std::string root_;
};

}  // namespace magneto::server::client
