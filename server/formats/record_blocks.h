#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/formats/byte_source.h"
#include "server/formats/csv.h"

namespace magneto::server::formats {

// Some whole records of a file, in its order.
struct RecordBlock {
  std::string text;                           // ends with a line feed, but for the last of a file
  std::size_t first_line = 1;                 // of the file
  std::vector<std::size_t> lines;             // where each begins; empty: each is a line
  std::shared_ptr<const CsvColumns> columns;  // of CSV alone
  char delimiter = ',';                       // likewise
};

// Gives what is in a file as blocks.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // nullopt at the end. Throws TransferFileError, once it has given the records in front of what is
  // wrong.
  virtual std::optional<RecordBlock> next() = 0;
  // At the end: whether the file says that it is one page of several and not the last.
  virtual bool has_next_page() const { return false; }
};

// Cuts a file into blocks for threads that read records by themselves: at line feeds, for CSV where
// take_csv_record would begin a record. The mark that some programs begin UTF-8 with is left out.
class RecordBlocks : public BlockSource {
 public:
  static constexpr std::size_t kBlockBytes = 512 << 10;

  RecordBlocks(ByteSource& source, bool csv, char delimiter = ',')
      : source_(source), csv_(csv), delimiter_(delimiter) {}
  // Of lines; `start` was read of the source already, and is behind such a mark.
  RecordBlocks(ByteSource& source, std::string start)
      : source_(source), csv_(false), delimiter_(','), rest_(std::move(start)), at_start_(false) {}

  // nullopt at the end. Blocks are of some kBlockBytes, or of one record of up to kMaxRecordBytes;
  // for a longer one throws TransferFileError.
  std::optional<RecordBlock> next() override;

 private:
  bool take_more(std::string& text, std::size_t end);
  std::size_t find_end(const std::string& text, std::size_t begin, std::size_t seen) const;

  ByteSource& source_;
  const bool csv_;
  const char delimiter_;
  std::string rest_;  // behind the last block
  std::size_t line_ = 1;
  bool at_start_ = true;  // nothing was read yet
  bool at_end_ = false;
  std::exception_ptr failure_;  // behind what was given
};

// The next line of `text`, without its end (LF or CR LF), which is taken off; empty lines too.
std::string_view take_line(std::string_view& text);

}  // namespace magneto::server::formats
