#pragma once

#include <memory>
#include <optional>
#include <string>

#include "server/bulk/import/json_cutter.h"
#include "server/formats/record_blocks.h"

namespace magneto::server::bulk {

// The items of a file of JSON, as blocks of one item a line, in bounded memory however long the file
// is. How the file begins decides how it is read:
//   a whole object on the first line       JSON Lines: each line is a record
//   [..., {"Items": [...]}, an open line   values that may take many lines: json_cutter.h
class JsonBlocks : public formats::BlockSource {
 public:
  explicit JsonBlocks(formats::ByteSource& source) : source_(source) {}

  std::optional<formats::RecordBlock> next() override;
  bool has_next_page() const override { return cutter_ != nullptr && cutter_->has_next_page(); }

 private:
  void begin();
  std::optional<formats::RecordBlock> next_of_cutter();

  formats::ByteSource& source_;
  std::unique_ptr<formats::RecordBlocks> lines_;  // of JSON Lines
  std::unique_ptr<JsonCutter> cutter_;            // of anything else
  std::string start_;                             // what was read to decide
  std::exception_ptr failure_;                    // behind what was given
  bool at_end_ = false;
};

}  // namespace magneto::server::bulk
