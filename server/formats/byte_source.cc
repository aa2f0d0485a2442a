#include "server/formats/byte_source.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/formats/messages.h"

namespace magneto::server::formats {
namespace {

constexpr std::string_view kGzipStart = "\x1F\x8B";
constexpr std::string_view kZstdStart = "\x28\xB5\x2F\xFD";
// The start of a frame without data, after the first byte; the lower half of the first byte may be
// anything.
constexpr std::string_view kSkippedStart = "\x50\x2A\x4D\x18";
// 32 MB, more than the compressor uses by default.
constexpr int kZstdWindowLog = 25;

std::string last_error() { return std::generic_category().message(errno); }

bool is_zstd_start(std::string_view start) {
  if (start.size() < kSkippedStart.size()) return false;
  constexpr unsigned kUpperHalf = 0xF0;
  const bool skips = (static_cast<unsigned char>(start.front()) & kUpperHalf) ==
                         static_cast<unsigned char>(kSkippedStart.front()) &&
                     start.substr(1, kSkippedStart.size() - 1) == kSkippedStart.substr(1);
  return skips || start.starts_with(kZstdStart);
}

}  // namespace

class ByteSource::Decompressor {
 public:
  Decompressor() = default;
  virtual ~Decompressor() = default;
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  // Like ByteSource::read().
  virtual std::size_t read(char* to, std::size_t size) = 0;
};

// Uses zlib, because libdeflate needs a whole member in memory, and a file may have 100 GB.
class ByteSource::Inflater : public Decompressor {
 public:
  explicit Inflater(ByteSource& source) : source_(source) {
    constexpr int kGzipWindow = 15 + 16;  // gzip alone, with its largest window
    if (::inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() override { ::inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t size) override {
    constexpr std::size_t kMost = 1 << 30;  // zlib counts in 32 bits
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min(size, kMost));
    const uInt room = stream_.avail_out;
    while (!damaged_ && stream_.avail_out == room && (stream_.avail_in > 0 || fill())) {
      if (ended_ && is_padding()) continue;
      damaged_ = padded_;
      if (damaged_) break;
      if (std::exchange(ended_, false)) ::inflateReset(&stream_);
      const int result = ::inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      damaged_ = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
      ended_ = result == Z_STREAM_END;
    }
    if (stream_.avail_out == room && (damaged_ || !ended_)) {
      throw TransferFileError(messages::kDamagedSource(source_.path(), "gzip"));
    }
    return room - stream_.avail_out;
  }

 private:
  bool fill() {
    const std::size_t size = source_.read_file(input_.data(), input_.size());
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(size);
    return size > 0;
  }

  // Whether only zeros follow up to the end, as programs that write whole blocks leave them. No
  // member may follow such zeros.
  bool is_padding() {
    padded_ = padded_ || *stream_.next_in == 0;
    if (!padded_) return false;
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    return stream_.avail_in == 0;
  }

  ByteSource& source_;
  z_stream stream_{};
  bool ended_ = false;    // after a member; another may follow
  bool padded_ = false;   // in the zeros after the last member
  bool damaged_ = false;  // the bytes after the delivered ones are damaged
  std::array<char, 64 * 1024> input_;
};

class ByteSource::ZstdReader : public Decompressor {
 public:
  explicit ZstdReader(ByteSource& source) : source_(source), stream_(::ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    ::ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, kZstdWindowLog);
  }
  ~ZstdReader() override { ::ZSTD_freeDStream(stream_); }

  std::size_t read(char* to, std::size_t size) override {
    ZSTD_outBuffer out{to, size, 0};
    while (error_ == ZSTD_error_no_error && out.pos == 0) {
      if (at_ == filled_ && !holds_more_) {
        at_ = 0;
        filled_ = source_.read_file(input_.data(), input_.size());
        if (filled_ == 0) break;
      }
      // Pass one block at a time: a call that meets damage reports only the error, not its output.
      ZSTD_inBuffer in{input_.data() + at_, std::min(filled_ - at_, wanted_), 0};
      const std::size_t left = ::ZSTD_decompressStream(stream_, &out, &in);
      if (::ZSTD_isError(left) != 0) {
        error_ = ::ZSTD_getErrorCode(left);
        break;
      }
      at_ += in.pos;
      in_frame_ = left != 0;
      wanted_ = in_frame_ ? left : kFrameStart;
      holds_more_ = in_frame_ && out.pos == out.size;
    }
    if (out.pos == 0 && (error_ != ZSTD_error_no_error || in_frame_)) fail();
    return out.pos;
  }

 private:
  static constexpr std::size_t kFrameStart = 5;

  [[noreturn]] void fail() const {
    if (error_ == ZSTD_error_frameParameter_windowTooLarge) {
      throw TransferFileError(messages::kWideWindow(source_.path(), 1 << (kZstdWindowLog - 20)));
    }
    throw TransferFileError(messages::kDamagedSource(source_.path(), "zstd"));
  }

  ByteSource& source_;
  ZSTD_DStream* const stream_;
  bool in_frame_ = true;
  bool holds_more_ = false;  // may hold more output of its input
  ZSTD_ErrorCode error_ = ZSTD_error_no_error;
  std::size_t wanted_ = kFrameStart;  // bytes up to the end of the next block
  std::array<char, 64 * 1024> input_;
  std::size_t at_ = 0;  // position in input_
  std::size_t filled_ = 0;
};

ByteSource::ByteSource(std::string path, Compression wanted) : path_(std::move(path)) {
  descriptor_ = path_ == "-" ? ::dup(STDIN_FILENO) : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw TransferFileError(messages::kUnreadableSource(path_, last_error()));
  try {
    std::string start(kZstdStart.size(), '\0');
    std::size_t size = 0;
    while (size < start.size()) {
      const std::size_t count = read_file(start.data() + size, start.size() - size);
      if (count == 0) break;
      size += count;
    }
    start.resize(size);
    start_ = std::move(start);
    const auto may_be = [wanted](Compression one) {
      return wanted == Compression::kAny || wanted == one;
    };
    if (may_be(Compression::kGzip) && start_.starts_with(kGzipStart)) {
      decompressor_ = std::make_unique<Inflater>(*this);
    } else if (may_be(Compression::kZstd) && is_zstd_start(start_)) {
      decompressor_ = std::make_unique<ZstdReader>(*this);
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  taken_ = 0;
}

ByteSource::~ByteSource() { ::close(descriptor_); }

std::size_t ByteSource::read(char* to, std::size_t size) {
  return decompressor_ ? decompressor_->read(to, size) : read_file(to, size);
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
    if (errno != EINTR) throw TransferFileError(messages::kUnreadableSource(path_, last_error()));
  }
}

}  // namespace magneto::server::formats
