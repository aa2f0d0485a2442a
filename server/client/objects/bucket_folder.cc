#include "server/client/objects/bucket_folder.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "server/client/objects/messages.h"
#include "server/formats/part_name.h"

namespace magneto::server::client {
namespace {

namespace fs = std::filesystem;
using Kind = ObjectError::Kind;

constexpr std::size_t kLongestKey = 1'024;

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }

bool is_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && part.find('/') == std::string_view::npos &&
         std::ranges::none_of(part, is_control);
}

std::vector<std::string_view> parts_of(std::string_view key) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t slash = key.find('/');
    parts.push_back(key.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    key.remove_prefix(slash + 1);
  }
}

bool is_real_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(path, ignored));
}

[[noreturn]] void deny(std::string_view bucket, std::string_view key, std::string_view why) {
  throw ObjectError(Kind::kDenied, messages::kUnusableObject(key, bucket, why));
}

bool leads_to(std::string_view folder_key, std::string_view prefix) {
  return folder_key.substr(0, prefix.size()) == prefix.substr(0, folder_key.size());
}

// Walks a bucket.
class Walk {
 public:
  Walk(std::string_view bucket, std::string_view prefix) : bucket_(bucket), prefix_(prefix) {}

  std::vector<StoredObject> run(const std::string& root) {
    folders_.push_back({.key = "", .path = root});
    while (!folders_.empty()) {
      const StoredObject folder = std::move(folders_.back());
      folders_.pop_back();
      look_into(folder);
    }
    std::ranges::sort(found_, {}, &StoredObject::key);
    return std::move(found_);
  }

 private:
  void look_into(const StoredObject& folder) {
    std::error_code error;
    fs::directory_iterator entry(folder.path, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      if (++looked_at_ > BucketFolder::kMostLookedAt) refuse(BucketFolder::kMostLookedAt);
      look_at(folder, *entry);
    }
    if (error) deny(bucket_, folder.key, error.message());
  }

  void look_at(const StoredObject& folder, const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    std::string key = folder.key + name;
    if (key.size() > kLongestKey) return;
    std::error_code error;
    const fs::file_status status = entry.symlink_status(error);
    if (fs::is_directory(status)) {
      key += '/';
      if (leads_to(key, prefix_))
        folders_.push_back({.key = std::move(key), .path = entry.path().string()});
    } else if (fs::is_regular_file(status) && key.starts_with(prefix_) &&
               !formats::is_hidden_part(name)) {
      if (found_.size() == BucketFolder::kMostObjects) refuse(BucketFolder::kMostObjects);
      const std::uintmax_t size = entry.file_size(error);
      found_.push_back({std::move(key), entry.path().string(), error ? 0 : size});
    }
  }

  [[noreturn]] void refuse(std::size_t most) const {
    throw ObjectError(Kind::kDenied, messages::kTooManyObjects(bucket_, most, prefix_));
  }

  const std::string_view bucket_;
  const std::string_view prefix_;
  std::vector<StoredObject> folders_;  // to look into
  std::vector<StoredObject> found_;
  std::size_t looked_at_ = 0;
};

}  // namespace

std::string BucketFolder::path_of(std::string_view bucket) const {
  std::string path = root_ + "/";
  path += bucket;
  if (!is_part(bucket) || !is_real_folder(path)) {
    throw ObjectError(Kind::kNoBucket, messages::kNoBucket(bucket));
  }
  return path;
}

std::string BucketFolder::path_to_write(std::string_view bucket, std::string_view key) const {
  std::string path = path_of(bucket);
  const std::vector<std::string_view> parts = parts_of(key);
  if (key.size() > kLongestKey || !std::ranges::all_of(parts, is_part)) {
    deny(bucket, key, messages::kNoKeyPath);
  }
  path.append("/").append(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::error_code error;
    fs::create_directory(path, error);
    if (!is_real_folder(path)) {
      deny(bucket, key, error ? error.message() : std::string(messages::kLinkOnTheWay));
    }
    path.append("/").append(parts[i]);
  }
  return path;
}

std::vector<StoredObject> BucketFolder::list(std::string_view bucket,
                                             std::string_view prefix) const {
  std::vector<StoredObject> found = Walk(bucket, prefix).run(path_of(bucket));
  if (found.empty()) throw ObjectError(Kind::kNoKey, messages::kNoObject(bucket, prefix));
  return found;
}

void BucketFolder::remove_below(std::string_view bucket, std::string_view folder_key) const {
  try {
    // remove_all() follows no link.
    std::error_code ignored;
    fs::remove_all(path_to_write(bucket, folder_key), ignored);
  } catch (const ObjectError&) {
    // Another process has removed or replaced a folder of the path.
  }
}

}  // namespace magneto::server::client
