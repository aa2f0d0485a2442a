#include "server/bulk/import/json_blocks.h"

#include <exception>
#include <string_view>

#include "api/json/json_reader.h"
#include "server/formats/format.h"
#include "server/formats/messages.h"

namespace magneto::server::bulk {
namespace {

constexpr std::size_t kReadBytes = 64 << 10;
constexpr std::string_view kMarkOfUtf8 = "\xEF\xBB\xBF";
constexpr std::string_view kWhitespace = " \t\r\n";

// Whether the brackets that the line opens are closed at its end, and not earlier.
bool is_whole_value(std::string_view line) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && (depth == 0 || --depth == 0)) {
      return line.find_first_not_of(kWhitespace, i + 1) == std::string_view::npos;
    }
  }
  return false;
}

// Whether the line is an answer of Scan or Query. In plain JSON an item may have an attribute Items
// too, but its other attributes would not all be members of an answer: a table's key usually has
// none of these names.
bool is_whole_answer(std::string_view line) {
  api::json::Document document;
  std::string text(line);
  const auto parsed = document.parse(text);
  if (!parsed || !parsed->object().find("Items").is_array()) return false;
  for (const api::json::Member member : parsed->object()) {
    if (!is_member_of_answer(member.name)) return false;
  }
  return true;
}

// Whether a text with this start must be cut by its brackets. `is_cut`: the file continues after
// `text`.
bool is_document(std::string_view text, bool is_cut) {
  const std::size_t first = text.find_first_not_of(kWhitespace);
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  if (text.front() == '[') return true;
  if (text.front() != '{') return false;
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos && is_cut) return true;  // too long for a line with one item
  const std::string_view line = text.substr(0, end);
  if (is_whole_value(line)) return is_whole_answer(line);
  // Whether the item continues in the next line, rather than being cut off.
  constexpr std::string_view kOpenEnds = "{[,:";
  return kOpenEnds.find(line[line.find_last_not_of(kWhitespace)]) != std::string_view::npos;
}

}  // namespace

std::optional<formats::RecordBlock> JsonBlocks::next() {
  if (failure_) std::rethrow_exception(failure_);
  if (lines_ == nullptr && cutter_ == nullptr) begin();
  return lines_ != nullptr ? lines_->next() : next_of_cutter();
}

// Reads the first non-blank line, or the maximum length of an item.
void JsonBlocks::begin() {
  const auto has_line = [&] {
    const std::size_t first = start_.find_first_not_of(kWhitespace);
    return first != std::string::npos && start_.find('\n', first) != std::string::npos;
  };
  bool at_mark = true;
  while (!at_end_ && !has_line() && start_.size() <= formats::kMaxRecordBytes) {
    const std::size_t before = start_.size();
    start_.resize(before + kReadBytes);
    const std::size_t size = source_.read(start_.data() + before, kReadBytes);
    start_.resize(before + size);
    at_end_ = size == 0;
    if (at_mark && (at_end_ || start_.size() >= kMarkOfUtf8.size())) {
      at_mark = false;
      if (start_.starts_with(kMarkOfUtf8)) start_.erase(0, kMarkOfUtf8.size());
    }
  }
  if (is_document(start_, !at_end_)) {
    cutter_ = std::make_unique<JsonCutter>(source_.path());
  } else {
    lines_ = std::make_unique<formats::RecordBlocks>(source_, std::move(start_));
  }
}

std::optional<formats::RecordBlock> JsonBlocks::next_of_cutter() {
  formats::RecordBlock block;
  try {
    while (block.text.size() < formats::RecordBlocks::kBlockBytes) {
      if (!start_.empty()) {
        const std::size_t taken = cutter_->cut(start_, block);
        start_.erase(0, taken);
        continue;
      }
      if (at_end_) {
        cutter_->finish();
        break;
      }
      start_.resize(kReadBytes);
      start_.resize(source_.read(start_.data(), kReadBytes));
      at_end_ = start_.empty();
    }
  } catch (const formats::TransferFileError&) {
    failure_ = std::current_exception();
    if (block.text.empty()) throw;
  }
  if (block.text.empty()) return std::nullopt;
  block.first_line = block.lines.front();
  return block;
}

}  // namespace magneto::server::bulk
