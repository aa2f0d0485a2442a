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

// What was not imported, and whether that ends it. Thread-safe.
class ImportErrors {
 public:
  // `file`: where each is written as "data.jsonl:12: problem"; empty: nowhere. `most`: as many may
  // be passed over; one more ends the import. `most_written`: as many are written. Throws
  // TransferFileError.
  ImportErrors(const std::string& file, std::uint64_t most,
               std::uint64_t most_written = std::numeric_limits<std::uint64_t>::max());

  // An item that is passed over, and why, as sanitize_for_log(). That the file cannot be written ends the import too.
  void add(std::string_view file, std::size_t line, std::string_view problem);
  // The same of more than an item; a sentence that says of what.
  void add(std::string_view text);
  // What no other item would survive either.
  void fail(std::string_view problem);

  bool is_over() const { return over_.load(std::memory_order_relaxed); }
  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  // The sentence about what ended it; of the first thing passed over when nothing did.
  std::string first() const;

 private:
  const std::string file_;
  const std::uint64_t most_;
  const std::uint64_t most_written_;
  std::atomic<bool> over_{false};
  std::atomic<std::uint64_t> count_{0};
  mutable std::mutex mutex_;  // guards the rest
  std::ofstream log_;
  std::string first_;
};

}  // namespace magneto::server::bulk
