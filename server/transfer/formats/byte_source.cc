#include "server/transfer/formats/byte_source.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/transfer/formats/messages.h"

namespace magneto::server {
namespace {

constexpr std::string_view kGzipStart = "\x1F\x8B";

std::string last_error() { return std::generic_category().message(errno); }

}  // namespace

// zlib, since libdeflate takes a member as a whole, which a file of 100 GB may be.
class ByteSource::Inflater {
 public:
  explicit Inflater(ByteSource& source) : source_(source) {
    constexpr int kGzipWindow = 15 + 16;  // gzip alone, with its largest window
    if (::inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::size_t read(char* to, std::size_t size) {
    constexpr std::size_t kMost = 1 << 30;  // zlib counts in 32 bits
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min(size, kMost));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room && (stream_.avail_in > 0 || fill())) {
      if (std::exchange(ended_, false)) ::inflateReset(&stream_);
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) fail();
      ended_ = result == Z_STREAM_END;
    }
    if (stream_.avail_out == room && !ended_) fail();
    return room - stream_.avail_out;
  }

 private:
  bool fill() {
    const std::size_t size = source_.read_file(input_.data(), input_.size());
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(size);
    return size > 0;
  }

  [[noreturn]] void fail() const {
    throw TransferFileError(messages::damaged_gzip(source_.path()));
  }

  ByteSource& source_;
  z_stream stream_{};
  bool ended_ = false;  // a member; another may follow
  std::array<char, 64 * 1024> input_;
};

ByteSource::ByteSource(std::string path, bool decompress) : path_(std::move(path)) {
  descriptor_ = path_ == "-" ? ::dup(STDIN_FILENO) : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw TransferFileError(messages::unreadable_source(path_, last_error()));
  try {
    std::string start(kGzipStart.size(), '\0');
    std::size_t size = read_file(start.data(), start.size());
    if (size == 1) size += read_file(start.data() + size, 1);
    start.resize(size);
    start_ = std::move(start);
    if (decompress && start_ == kGzipStart) inflater_ = std::make_unique<Inflater>(*this);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  taken_ = 0;
}

ByteSource::~ByteSource() { ::close(descriptor_); }

std::size_t ByteSource::read(char* to, std::size_t size) {
  return inflater_ ? inflater_->read(to, size) : read_file(to, size);
}

std::size_t ByteSource::read_file(char* to, std::size_t size) {
  if (!start_.empty()) {
    const std::size_t given = std::min(size, start_.size());
    std::memcpy(to, start_.data(), given);
    start_.erase(0, given);
    taken_.fetch_add(given, std::memory_order_relaxed);
    return given;
  }
  while (true) {
    const ssize_t size_read = ::read(descriptor_, to, size);
    if (size_read >= 0) {
      taken_.fetch_add(static_cast<std::uint64_t>(size_read), std::memory_order_relaxed);
      return static_cast<std::size_t>(size_read);
    }
    if (errno != EINTR) throw TransferFileError(messages::unreadable_source(path_, last_error()));
  }
}

}  // namespace magneto::server
