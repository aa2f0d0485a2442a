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

// Reads a file of Amazon Ion, text or binary as it begins, and gives its records as blocks of lines
// of typed JSON, {"Item":{...}}, one for each record. For one that is none the line is empty, and
// `refuse` is told why. Behind what is no Ion text the next line goes on, or, where records begin with
// $ion_1_0, the next line with that; behind what is no Ion binary nothing does.
class IonBlocks : public BlockSource {
 public:
  using Refuse = std::function<void(std::size_t record, std::string_view problem)>;

  IonBlocks(ByteSource& source, Refuse refuse) : source_(source), refuse_(std::move(refuse)) {}

  // nullopt at the end. Throws TransferFileError for a record longer than kMaxRecordBytes, and for
  // binary that cannot be read on, once the records before have been given.
  std::optional<RecordBlock> next() override;

 private:
  [[noreturn]] void fail(std::string_view why) const;
  void open();
  void take_records(RecordBlock& block);
  std::string_view rest() const { return std::string_view(buffer_).substr(at_); }
  // More of the file behind what there is.
  void fill();
  void take_text(RecordBlock& block);
  void pass_over(std::size_t begin, bool is_marked);
  void take_binary(RecordBlock& block);
  void add_record(RecordBlock& block);

  ByteSource& source_;
  const Refuse refuse_;
  std::string buffer_;
  std::size_t at_ = 0;      // in it
  std::size_t record_ = 1;  // the next one's number
  bool is_open_ = false;
  bool is_binary_ = false;
  bool at_end_ = false;            // of the file
  std::exception_ptr unreadable_;  // what is behind the buffer
  std::exception_ptr failure_;     // behind what was given
  IonBinary binary_;
  IonItem item_;
  std::string parsed_;
  api::json::Document document_;
};

}  // namespace magneto::server::formats
