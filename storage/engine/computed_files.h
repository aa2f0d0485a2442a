#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace magneto::storage {

// Files beside a store with data that was computed from it, so that the next process need not
// compute the data again. The loss of a file costs only time.
//
// A file is right only for the store as one clean close left it. Each close has a random id. The
// store has it from its close to the next start (background/statistics_keeper.h), and each file
// repeats it. The store has no id or another one after a kill, after a start of any version of
// Magneto, and in a directory that was restored. Checksums find damaged files.
//
//   file  := magic:16 close:16 seed:8 size:8 checksum:8 block*     size: of all blocks
//   block := length:8 checksum:8 byte*length
//
// Numbers have the order of the machine, which the magic shows. Files are not synced: after a
// loss of power a damaged file has a wrong checksum. Thread-safe; a reader or writer is for one thread.
class ComputedFiles {
 public:
  explicit ComputedFiles(std::string folder) : folder_(std::move(folder)) {}

  static constexpr std::size_t kIdSize = 16;
  static constexpr std::size_t kLongestBlock = std::size_t{8} << 20;

  // A new id of a close. Throws EngineError.
  static std::string new_id();

  class Reader {
   public:
    virtual ~Reader() = default;
    enum class Result : std::uint8_t { kBlock, kEnd, kDamaged };
    // Moves to the next block. kEnd: all blocks of the file were read, and none was damaged.
    virtual Result next() = 0;
    // Valid until the next call of next().
    virtual std::string_view block() const = 0;
  };
  // Whether the file of that name has the id. Reads no block.
  bool has(std::string_view name, std::string_view close) const;
  // nullptr if has() is false.
  std::unique_ptr<Reader> open(std::string_view name, std::string_view close) const;

  class Writer {
   public:
    virtual ~Writer() = default;  // removes a file that is not finished
    // False if the file cannot be written, now or before. At most kLongestBlock bytes.
    virtual bool add(std::string_view block) = 0;
    // Replaces the file of that name in one step.
    virtual bool finish() = 0;
  };
  // nullptr if the file cannot be written, or if so many bytes would leave little free space on
  // the disk.
  std::unique_ptr<Writer> create(std::string_view name, std::string_view close,
                                 std::uint64_t bytes) const;
  // Gives a file with the id `from` the id `to`. False if there is none, or it cannot be written.
  bool carry_over(std::string_view name, std::string_view from, std::string_view to) const;

  void remove(std::string_view name) const noexcept;
  // Removes all other files.
  void keep_only(std::span<const std::string> names) const noexcept;

 private:
  std::string path_of(std::string_view name) const { return folder_ + "/" + std::string(name); }

  const std::string folder_;
};

}  // namespace magneto::storage
