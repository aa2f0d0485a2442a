#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace magneto::server::formats {

// A file that cannot be read or written, or is damaged: a sentence for the user.
class TransferFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How a file may be compressed.
enum class Compression : std::uint8_t { kAny, kNone, kGzip, kZstd };

// The bytes of a file, or of standard input for "-", from start to end. What begins as gzip
// (RFC 1952) or Zstandard (RFC 8878) is decompressed on the way, several members or frames in a row as
// one, in little memory however long it is. What is whole in front of a damage is given.
class ByteSource {
 public:
  // Throws TransferFileError. What is not compressed in that way comes as it is.
  explicit ByteSource(std::string path, Compression wanted = Compression::kAny);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Fills `to` with up to `size` bytes; 0 at the end. Throws TransferFileError.
  std::size_t read(char* to, std::size_t size);

  const std::string& path() const { return path_; }
  bool is_decompressed() const { return decompressor_ != nullptr; }
  // Bytes of the file itself that were taken, which another thread may ask for.
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  class Decompressor;
  class Inflater;
  class ZstdReader;

  std::size_t read_file(char* to, std::size_t size);

  const std::string path_;
  int descriptor_ = -1;
  std::string start_;  // what was looked at to see whether it is compressed, and not yet given
  std::unique_ptr<Decompressor> decompressor_;
  std::atomic<std::uint64_t> taken_{0};
};

}  // namespace magneto::server::formats
