#include "server/formats/record_blocks.h"

#include <algorithm>
#include <utility>

#include "server/formats/format.h"
#include "server/formats/messages.h"

namespace magneto::server::formats {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::optional<RecordBlock> RecordBlocks::next() {
  if (failure_) std::rethrow_exception(failure_);
  RecordBlock block{.text = std::exchange(rest_, {}),
                    .first_line = line_,
                    .lines{},
                    .columns{},
                    .delimiter = delimiter_};
  std::size_t end = find_end(block.text, 0, 0);
  while (!at_end_ && (end == 0 || block.text.size() < kBlockBytes)) {
    const std::size_t before = block.text.size();
    if (!take_more(block.text, end)) break;
    if (at_start_ && (at_end_ || block.text.size() >= kByteOrderMark.size())) {
      at_start_ = false;
      if (block.text.starts_with(kByteOrderMark)) block.text.erase(0, kByteOrderMark.size());
      end = find_end(block.text, 0, 0);
    } else {
      end = find_end(block.text, end, before);
    }
  }
  if (failure_ && end == 0) std::rethrow_exception(failure_);
  if (block.text.empty()) return std::nullopt;
  if (!at_end_) {
    rest_ = block.text.substr(end);
    block.text.resize(end);
  }
  line_ += static_cast<std::size_t>(std::ranges::count(block.text, '\n'));
  return block;
}

// `end` is the end of the complete records in `text`. Returns false if the file cannot be read
// further.
bool RecordBlocks::take_more(std::string& text, std::size_t end) {
  const std::size_t before = text.size();
  try {
    if (before - end > kMaxRecordBytes) {
      throw TransferFileError(messages::kAtRecord(source_.path(), line_, messages::kRecordTooLong));
    }
    text.resize(before + kBlockBytes);
    const std::size_t size = source_.read(text.data() + before, kBlockBytes);
    text.resize(before + size);
    at_end_ = size == 0;
    return true;
  } catch (const TransferFileError&) {
    failure_ = std::current_exception();
    text.resize(before);
    return false;
  }
}

// The position after the last complete record. The record before `begin` is complete. Between
// `begin` and `seen`, only line feeds inside cells occur.
std::size_t RecordBlocks::find_end(const std::string& text, std::size_t begin,
                                   std::size_t seen) const {
  const std::size_t feed = text.rfind('\n');
  if (feed == std::string::npos || feed < seen) return begin;
  if (!csv_) return feed + 1;
  std::string_view rest = std::string_view(text).substr(begin);
  while (const auto size = csv_record_size(rest, delimiter_)) rest.remove_prefix(*size);
  return text.size() - rest.size();
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace magneto::server::formats
