#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/json/json_reader.h"
#include "server/formats/byte_source.h"
#include "server/formats/ion/ion_binary.h"
#include "server/formats/ion/ion_item.h"
#include "server/formats/record_blocks.h"

namespace magneto::server::formats {

// Reads a file of Amazon Ion, text or binary, which its first bytes decide. Delivers its records as
// blocks of typed JSON, one line {"Item":{...}} for each record. For a record that is not an item,
// the line is empty and `refuse` receives the reason. After invalid Ion text, reading resumes at
// the next line; if records begin with $ion_1_0, at the next line with that marker. After invalid
// Ion binary, reading cannot resume.
class IonBlocks : public BlockSource {
 public:
  using Refuse = std::function<void(std::size_t record, std::string_view problem)>;

  IonBlocks(ByteSource& source, Refuse refuse) : source_(source), refuse_(std::move(refuse)) {}

  // nullopt at the end. Throws TransferFileError for a record longer than kMaxRecordBytes and for
  // unreadable binary, after all earlier records were delivered.
  std::optional<RecordBlock> next() override;

 private:
  [[noreturn]] void fail(std::string_view why) const;
  void open();
  void take_records(RecordBlock& block);
  std::string_view rest() const { return std::string_view(buffer_).substr(at_); }
  // Reads more of the file into the buffer.
  void fill();
  void take_text(RecordBlock& block);
  void pass_over(std::size_t begin, bool is_marked);
  void take_binary(RecordBlock& block);
  void add_record(RecordBlock& block);

  ByteSource& source_;
  const Refuse refuse_;
  std::string buffer_;
  std::size_t at_ = 0;      // position in the buffer
  std::size_t record_ = 1;  // number of the next record
  bool is_open_ = false;
  bool is_binary_ = false;
  bool at_end_ = false;            // the file has no more bytes
  std::exception_ptr unreadable_;  // why bytes after the buffer cannot be read
  std::exception_ptr failure_;     // to be thrown after the last record
  IonBinary binary_;
  IonItem item_;
  std::string parsed_;
  api::json::Document document_;
};

}  // namespace magneto::server::formats
