#pragma once

#include <memory>
#include <optional>
#include <string>

#include "server/bulk/import/json_cutter.h"
#include "server/formats/record_blocks.h"

namespace magneto::server::bulk {

// Reads the items of a JSON file as blocks with one item per line. The memory is bounded, however
// long the file is. The start of the file determines its format:
//   a complete object on the first line: JSON Lines, each line is a record
//   [..., {"Items": [...]}, or an object that goes on in the next line: values that may span many
//   lines; see json_cutter.h
class JsonBlocks : public formats::BlockSource {
 public:
  explicit JsonBlocks(formats::ByteSource& source) : source_(source) {}

  std::optional<formats::RecordBlock> next() override;
  bool has_next_page() const override { return cutter_ != nullptr && cutter_->has_next_page(); }

 private:
  void begin();
  std::optional<formats::RecordBlock> next_of_cutter();

  formats::ByteSource& source_;
  std::unique_ptr<formats::RecordBlocks> lines_;  // for JSON Lines
  std::unique_ptr<JsonCutter> cutter_;            // for all other formats
  std::string start_;                             // the text that was read to choose the format
  std::exception_ptr failure_;                    // to be thrown after the last complete block
  bool at_end_ = false;
};

}  // namespace magneto::server::bulk
