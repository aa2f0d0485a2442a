#include "server/transfer/formats/record_blocks.h"

#include <algorithm>
#include <utility>

#include "server/transfer/formats/format.h"
#include "server/transfer/formats/messages.h"

namespace magneto::server {

std::optional<RecordBlock> RecordBlocks::next() {
  RecordBlock block{.text = std::exchange(rest_, {}), .first_line = line_, .columns{}};
  in_quotes_ = false;
  std::size_t end = find_end(block.text, 0);
  while (!at_end_ && (end == 0 || block.text.size() < kBlockBytes)) {
    const std::size_t before = block.text.size();
    if (before - end > kMaxRecordBytes) {
      throw TransferFileError(messages::at_record(source_.path(), line_, messages::kRecordTooLong));
    }
    block.text.resize(before + kBlockBytes);
    const std::size_t size = source_.read(block.text.data() + before, kBlockBytes);
    block.text.resize(before + size);
    at_end_ = size == 0;
    end = std::max(end, find_end(block.text, before));
  }
  if (block.text.empty()) return std::nullopt;
  if (!at_end_) {
    rest_ = block.text.substr(end);
    block.text.resize(end);
  }
  line_ += static_cast<std::size_t>(std::ranges::count(block.text, '\n'));
  return block;
}

// Behind the last record that ends at `from` or later; 0 when none does.
std::size_t RecordBlocks::find_end(const std::string& text, std::size_t from) {
  if (!quoted_) {
    const std::size_t end = text.rfind('\n');
    return end == std::string::npos || end < from ? 0 : end + 1;
  }
  std::size_t end = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text[at] == '"') in_quotes_ = !in_quotes_;
    if (text[at] == '\n' && !in_quotes_) end = at + 1;
  }
  return end;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace magneto::server
