#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>

namespace magneto::server::bulk {

// Records the items that were not imported, and decides whether the import must end. Thread-safe.
class ImportErrors {
 public:
  // `file`: the file to which each error is written as "data.jsonl:12: problem"; empty for none.
  // `most`: the number of items that may be skipped; one more ends the import. `most_written`: the
  // maximum of written errors. Throws TransferFileError.
  ImportErrors(const std::string& file, std::uint64_t most,
               std::uint64_t most_written = std::numeric_limits<std::uint64_t>::max());

  // Records a skipped item; the reason is written as sanitize_for_log(). If the file cannot be
  // written, the import ends too.
  void add(std::string_view file, std::size_t line, std::string_view problem);
  // Records an error that is not about a single item. `text` is a full sentence.
  void add(std::string_view text);
  // Ends the import because of a problem that every other item would have too.
  void fail(std::string_view problem);

  bool is_over() const { return over_.load(std::memory_order_relaxed); }
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  // The sentence about the error that ended the import or, if none did, about the first skipped
  // item.
  std::string first() const;

 private:
  const std::string file_;
  const std::uint64_t most_;
  const std::uint64_t most_written_;
  std::atomic<bool> over_{false};
  std::atomic<std::uint64_t> count_{0};
  mutable std::mutex mutex_;  // guards the members below
  std::ofstream log_;
  std::string first_;
};

}  // namespace magneto::server::bulk
