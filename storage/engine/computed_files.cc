#include "storage/engine/computed_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/messages/directory_messages.h"

namespace magneto::storage {
namespace {

constexpr mode_t kOwnersAlone = 0600;
constexpr std::string_view kUnfinished = ".new";
constexpr std::uint64_t kFreeSpaceKept = std::uint64_t{64} << 20;

// The first bytes show the order of the machine's bytes.
constexpr std::array<char, 12> kMagic = {'m', 'a', 'g', 'n', 'e', 't', 'o', ' ', 'f', '1', '\n', 0};
constexpr std::uint32_t kOrder = 0x01020304;

struct Header {
  std::uint32_t order = kOrder;
  std::array<char, 12> magic = kMagic;
  std::array<char, ComputedFiles::kIdSize> close{};
  std::uint64_t seed = 0;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;  // of the members before it
};
struct BlockHead {
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 56 && std::is_trivially_copyable_v<Header>);

template <typename Plain>
std::string_view bytes_of_plain(const Plain& plain) {
  return {reinterpret_cast<const char*>(&plain), sizeof plain};
}

// Each step is a bijection of its lane, so a change of one word is always noticed; any other damage
// escapes once in 2^64. Eight lanes do not wait for each other.
std::uint64_t checksum_of(std::string_view bytes, std::uint64_t seed) {
  constexpr std::size_t kLanes = 8;
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
  constexpr int kTurn = 29;
  std::array<std::uint64_t, kLanes> lanes{};
  for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = seed + i * kOdd;
  std::array<std::uint64_t, kLanes> words{};
  const std::size_t length = bytes.size();
  for (; bytes.size() >= sizeof words; bytes.remove_prefix(sizeof words)) {
    std::memcpy(words.data(), bytes.data(), sizeof words);
    for (std::size_t i = 0; i < kLanes; ++i) {
      lanes[i] = std::rotl((lanes[i] ^ words[i]) * kOdd, kTurn);
    }
  }
  words = {};
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  std::uint64_t sum = length;
  for (std::size_t i = 0; i < kLanes; ++i) {
    sum = std::rotl((sum ^ std::rotl((lanes[i] ^ words[i]) * kOdd, kTurn)) * kOdd, kTurn);
  }
  return sum ^ (sum >> 32);
}

std::uint64_t checksum_of(const Header& header) {
  return checksum_of(bytes_of_plain(header).substr(0, offsetof(Header, checksum)), kOrder);
}

// A block in another place than its own is damage too.
std::uint64_t checksum_of_block(const Header& header, std::uint64_t number,
                                std::string_view block) {
  return checksum_of(block, header.seed + number);
}

template <typename Plain>
void fill_randomly(Plain& plain) {
  static_assert(sizeof plain <= 256);  // fewer bytes are never given
  if (::getrandom(&plain, sizeof plain, 0) != ssize_t{sizeof plain}) {
    throw EngineError(messages::kNoRandomNumbers);
  }
}

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags)
      : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, kOwnersAlone)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  bool read(char* into, std::size_t size) const {
    while (size != 0) {
      const ssize_t got = ::read(descriptor_, into, size);
      if (got <= 0) return false;
      into += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  }
  bool is_at_end() const {
    char one = 0;
    return ::read(descriptor_, &one, 1) == 0;
  }
  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  bool write_header(const Header& header) const {
    return ::pwrite(descriptor_, &header, sizeof header, 0) == ssize_t{sizeof header};
  }

 private:
  const int descriptor_;
};

void set_close(Header& header, std::string_view close) {
  header.close = {};
  std::copy_n(close.data(), std::min(close.size(), header.close.size()), header.close.begin());
  header.checksum = checksum_of(header);
}

std::optional<Header> read_header(const OpenFile& file, std::string_view close) {
  Header header;
  if (close.size() != ComputedFiles::kIdSize || !file.is_open()) return std::nullopt;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  const bool is_right = header.order == kOrder && header.magic == kMagic &&
                        header.checksum == checksum_of(header) &&
                        std::string_view(header.close.data(), header.close.size()) == close;
  return is_right ? std::optional(header) : std::nullopt;
}

class FileReader final : public ComputedFiles::Reader {
 public:
  FileReader(std::unique_ptr<OpenFile> file, const Header& header)
      : file_(std::move(file)), header_(header), left_(header.size) {}

  Result next() override {
    if (is_damaged_) return Result::kDamaged;
    if (left_ == 0 && file_->is_at_end()) return Result::kEnd;
    is_damaged_ = !read_block();
    return is_damaged_ ? Result::kDamaged : Result::kBlock;
  }
  std::string_view block() const override { return {buffer_.data(), length_}; }

 private:
  bool read_block() {
    BlockHead head;
    if (left_ < sizeof head) return false;
    if (!file_->read(reinterpret_cast<char*>(&head), sizeof head)) return false;
    left_ -= sizeof head;
    if (head.length > std::min<std::uint64_t>(left_, ComputedFiles::kLongestBlock)) return false;
    length_ = static_cast<std::size_t>(head.length);
    if (buffer_.size() < length_) buffer_.resize(length_);
    if (!file_->read(buffer_.data(), length_)) return false;
    left_ -= length_;
    return checksum_of_block(header_, number_++, block()) == head.checksum;
  }

  const std::unique_ptr<OpenFile> file_;
  const Header header_;
  std::uint64_t left_;  // bytes of blocks that are not read yet
  std::uint64_t number_ = 0;
  std::vector<char> buffer_;
  std::size_t length_ = 0;
  bool is_damaged_ = false;
};

class FileWriter final : public ComputedFiles::Writer {
 public:
  FileWriter(std::string path, std::string_view close)
      : path_(std::move(path)),
        unfinished_(path_ + std::string(kUnfinished)),
        file_(unfinished_, O_WRONLY | O_CREAT | O_TRUNC) {
    fill_randomly(header_.seed);
    set_close(header_, close);
    is_good_ = file_.is_open() && file_.write(bytes_of_plain(Header{}));
  }
  ~FileWriter() override {
    if (file_.is_open() && !is_finished_) ::unlink(unfinished_.c_str());
  }

  bool add(std::string_view block) override {
    if (!is_good_ || block.size() > ComputedFiles::kLongestBlock) return is_good_ = false;
    const BlockHead head{.length = block.size(),
                         .checksum = checksum_of_block(header_, number_++, block)};
    is_good_ = file_.write(bytes_of_plain(head)) && file_.write(block);
    header_.size += sizeof head + block.size();
    return is_good_;
  }

  bool finish() override {
    header_.checksum = checksum_of(header_);
    is_finished_ = is_good_ && file_.write_header(header_) &&
                   ::rename(unfinished_.c_str(), path_.c_str()) == 0;
    return is_finished_;
  }
  bool is_good() const { return is_good_; }

 private:
  const std::string path_;
  const std::string unfinished_;
  const OpenFile file_;
  Header header_;
  std::uint64_t number_ = 0;
  bool is_good_ = false;
  bool is_finished_ = false;
};

}  // namespace

std::string ComputedFiles::new_id() {
  std::array<char, kIdSize> id{};
  fill_randomly(id);
  return {id.data(), id.size()};
}

bool ComputedFiles::has(std::string_view name, std::string_view close) const {
  return read_header(OpenFile(path_of(name), O_RDONLY), close).has_value();
}

std::unique_ptr<ComputedFiles::Reader> ComputedFiles::open(std::string_view name,
                                                           std::string_view close) const {
  auto file = std::make_unique<OpenFile>(path_of(name), O_RDONLY);
  const std::optional<Header> header = read_header(*file, close);
  if (!header) return nullptr;
  return std::make_unique<FileReader>(std::move(file), *header);
}

std::unique_ptr<ComputedFiles::Writer> ComputedFiles::create(std::string_view name,
                                                             std::string_view close,
                                                             std::uint64_t bytes) const {
  if (close.size() != kIdSize) return nullptr;
  if (::mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST) return nullptr;
  struct statvfs disk = {};
  if (::statvfs(folder_.c_str(), &disk) != 0) return nullptr;
  if (std::uint64_t{disk.f_bavail} * disk.f_frsize < 2 * bytes + kFreeSpaceKept) return nullptr;
  auto writer = std::make_unique<FileWriter>(path_of(name), close);
  if (!writer->is_good()) return nullptr;
  return writer;
}

bool ComputedFiles::carry_over(std::string_view name, std::string_view from,
                               std::string_view to) const {
  const OpenFile file(path_of(name), O_RDWR);
  std::optional<Header> header = read_header(file, from);
  if (!header || to.size() != kIdSize) return false;
  set_close(*header, to);
  return file.write_header(*header);
}

void ComputedFiles::remove(std::string_view name) const noexcept {
  ::unlink(path_of(name).c_str());  // after a failure the next clean close tries again
}

void ComputedFiles::keep_only(std::span<const std::string> names) const noexcept {
  DIR* const folder = ::opendir(folder_.c_str());
  if (folder == nullptr) return;
  std::vector<std::string> others;
  while (const dirent* const entry = ::readdir(folder)) {
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (std::ranges::find(names, name) == names.end()) others.push_back(std::move(name));
  }
  ::closedir(folder);
  for (const std::string& name : others) remove(name);
}

}  // namespace magneto::storage
