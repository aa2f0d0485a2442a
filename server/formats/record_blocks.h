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

// Some complete records of a file, in the file's order.
struct RecordBlock {
  std::string text;            // ends with a line feed, except at the end of a file
  std::size_t first_line = 1;  // line number in the file
  // the first line of each record; empty: each record is one line
  std::vector<std::size_t> lines;
  std::shared_ptr<const CsvColumns> columns;  // for CSV only
  char delimiter = ',';                       // for CSV only
};

// Reads a file as blocks of records.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // nullopt at the end. Throws TransferFileError after all records before the error were delivered.
  virtual std::optional<RecordBlock> next() = 0;
  // Call this at the end: whether the file says that it is one page of several and not the last.
  virtual bool has_next_page() const { return false; }
};

// Cuts a file into blocks for threads that read records independently: at line feeds, or for CSV
// where take_csv_record would begin a record. Skips a UTF-8 byte order mark at the start.
class RecordBlocks : public BlockSource {
 public:
  static constexpr std::size_t kBlockBytes = 512 << 10;

  RecordBlocks(ByteSource& source, bool csv, char delimiter = ',')
      : source_(source), csv_(csv), delimiter_(delimiter) {}
  // For lines. `start` was already read from the source, and follows the byte order mark, if any.
  RecordBlocks(ByteSource& source, std::string start)
      : source_(source), csv_(false), delimiter_(','), rest_(std::move(start)), at_start_(false) {}

  // nullopt at the end. A block has about kBlockBytes, or is one record of at most kMaxRecordBytes.
  // Throws TransferFileError for a longer record.
  std::optional<RecordBlock> next() override;

 private:
  bool take_more(std::string& text, std::size_t end);
  std::size_t find_end(const std::string& text, std::size_t begin, std::size_t seen) const;

  ByteSource& source_;
  const bool csv_;
  const char delimiter_;
  std::string rest_;  // text after the last block
  std::size_t line_ = 1;
  bool at_start_ = true;  // nothing has been read yet
  bool at_end_ = false;
  std::exception_ptr failure_;  // to be thrown after the last block
};

// Removes the next line, with its end (LF or CR LF), from `text`. Returns it without the end; empty
// lines are returned too.
std::string_view take_line(std::string_view& text);

}  // namespace magneto::server::formats
