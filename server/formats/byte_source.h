#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace magneto::server::formats {

// A file cannot be read or written, or is damaged. what() is a sentence for the user.
class TransferFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How a file may be compressed.
enum class Compression : std::uint8_t { kAny, kNone, kGzip, kZstd };

// Reads the bytes of a file, or of standard input for "-", from start to end. Decompresses content
// that begins as gzip (RFC 1952) or Zstandard (RFC 8878), with little memory for any length;
// several members or frames in a row are read as one. All intact bytes before damaged data are
// delivered.
class ByteSource {
 public:
  // Throws TransferFileError. Content without the wanted compression is read unchanged.
  explicit ByteSource(std::string path, Compression wanted = Compression::kAny);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Fills `to` with at most `size` bytes; returns 0 at the end. Throws TransferFileError.
  std::size_t read(char* to, std::size_t size);

  const std::string& path() const { return path_; }
  bool is_decompressed() const { return decompressor_ != nullptr; }
  // The number of bytes of the file itself that were read. Other threads may call it.
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  class Decompressor;
  class Inflater;
  class ZstdReader;

  std::size_t read_file(char* to, std::size_t size);

  const std::string path_;
  int descriptor_ = -1;
  std::string start_;  // read to detect the compression, and not delivered yet
  std::unique_ptr<Decompressor> decompressor_;
  std::atomic<std::uint64_t> taken_{0};
};

}  // namespace magneto::server::formats
