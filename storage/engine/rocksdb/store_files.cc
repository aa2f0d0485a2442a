#include "storage/engine/rocksdb/store_files.h"

#include <fcntl.h>
#include <rocksdb/db.h>
#include <rocksdb/metadata.h>
#include <rocksdb/options.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/engine/rocksdb/rocksdb_damage.h"
#include "storage/messages/directory_messages.h"

namespace magneto::storage {
namespace {

constexpr mode_t kOwnersAlone = 0600;

[[noreturn]] void fail(std::string_view action, const std::string& path, int error) {
  throw EngineError(messages::file_failure(action, path, std::generic_category().message(error)));
}

class File {
 public:
  File(const std::string& path, int flags)
      : path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, kOwnersAlone)) {
    if (descriptor_ < 0) fail((flags & O_CREAT) != 0 ? "create" : "open", path_, errno);
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::size_t read(std::span<char> into) const {
    const ssize_t got = ::read(descriptor_, into.data(), into.size());
    if (got < 0) fail("read", path_, errno);
    return static_cast<std::size_t>(got);
  }
  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written <= 0) fail("write", path_, written < 0 ? errno : ENOSPC);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void sync() const {
    if (::fsync(descriptor_) != 0) fail("write", path_, errno);
  }

 private:
  const std::string path_;
  const int descriptor_;
};

// Copies at most `size` bytes.
void copy_file(const std::string& from, const std::string& to, std::uint64_t size) {
  const File source(from, O_RDONLY);
  const File target(to, O_WRONLY | O_CREAT | O_EXCL);
  std::vector<char> buffer(256 << 10);
  while (size > 0) {
    const std::size_t wanted = std::min<std::uint64_t>(size, buffer.size());
    const std::size_t got = source.read({buffer.data(), wanted});
    if (got == 0) break;
    target.write({buffer.data(), got});
    size -= got;
  }
  target.sync();
}

// Copies if a link is impossible: another file system, or one without links.
void link_file(const std::string& from, const std::string& to, std::uint64_t size) {
  if (::link(from.c_str(), to.c_str()) != 0) copy_file(from, to, size);
}

void make_store_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), S_IRWXU) != 0) fail("create", folder, errno);
}

}  // namespace

LiveFiles::LiveFiles(rocksdb::DB& database) : database_(database) {
  const rocksdb::Status status = database_.DisableFileDeletions();
  if (!status.ok()) throw EngineError(describe(status));
}

LiveFiles::~LiveFiles() { database_.EnableFileDeletions(/*force=*/false).PermitUncheckedError(); }

void LiveFiles::note() {
  rocksdb::LiveFilesStorageInfoOptions options;
  options.wal_size_for_flush = std::numeric_limits<std::uint64_t>::max();  // the caller flushes
  const rocksdb::Status status = database_.GetLiveFilesStorageInfo(options, &files_);
  if (!status.ok()) {
    throw EngineError(messages::engine_failure("read", database_.GetName(), describe(status)));
  }
}

void LiveFiles::copy_to(const std::string& folder) const {
  make_store_folder(folder);
  for (const rocksdb::LiveFileStorageInfo& file : files_) {
    const std::string from = file.directory + "/" + file.relative_filename;
    const std::string to = folder + "/" + file.relative_filename;
    if (!file.replacement_contents.empty()) {
      replace_file(to, file.replacement_contents);
    } else if (file.file_type == rocksdb::kTableFile) {
      link_file(from, to, file.size);
    } else {
      copy_file(from, to, file.size);
    }
  }
  sync_folder(folder);
}

void copy_closed_files(const std::string& from, const std::string& to) {
  const std::string first = from + "/CURRENT";
  if (::access(first.c_str(), F_OK) != 0) fail("open", first, errno);
  make_store_folder(to);
  std::error_code error;
  std::filesystem::directory_iterator entry(from, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string target = to + "/" + entry->path().filename().string();
    constexpr std::uint64_t kWhole = std::numeric_limits<std::uint64_t>::max();
    if (entry->path().extension() == ".sst") {
      link_file(entry->path(), target, kWhole);
    } else {
      copy_file(entry->path(), target, kWhole);
    }
  }
  if (error) throw EngineError(messages::directory_not_listed(from, error.message()));
  sync_folder(to);
}

void sync_folder(const std::string& folder) { File(folder, O_RDONLY | O_DIRECTORY).sync(); }

void replace_file(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".new";
  {
    const File file(unfinished, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(text);
    file.sync();
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) fail("create", path, errno);
  sync_folder(std::filesystem::path(path).parent_path());
}

std::string read_small_file(const std::string& path, std::size_t most) {
  const File file(path, O_RDONLY);
  std::string text(most + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const std::size_t got = file.read({text.data() + size, text.size() - size});
    if (got == 0) break;
    size += got;
  }
  if (size > most) fail("read", path, EFBIG);
  text.resize(size);
  return text;
}

}  // namespace magneto::storage
