#include "server/formats/ion/ion_blocks.h"

#include <algorithm>

#include "server/formats/format.h"
#include "server/formats/ion/ion_text.h"
#include "server/formats/messages.h"

namespace magneto::server::formats {
namespace {

constexpr std::string_view kMarkedLine = "\n$ion_1_0";

}  // namespace

std::optional<RecordBlock> IonBlocks::next() {
  if (failure_) std::rethrow_exception(failure_);
  RecordBlock block{.text{}, .first_line = record_, .lines{}, .columns{}};
  try {
    take_records(block);
  } catch (const TransferFileError&) {
    failure_ = std::current_exception();
    if (block.text.empty()) throw;
  }
  if (block.text.empty()) return std::nullopt;
  return block;
}

void IonBlocks::take_records(RecordBlock& block) {
  if (!is_open_) open();
  while (block.text.size() < RecordBlocks::kBlockBytes && !(at_end_ && rest().empty())) {
    if (is_binary_) {
      take_binary(block);
    } else {
      take_text(block);
    }
  }
}

void IonBlocks::fail(std::string_view why) const {
  throw TransferFileError(messages::kAtRecord(source_.path(), record_, why));
}

void IonBlocks::open() {
  is_open_ = true;
  fill();
  is_binary_ = rest().starts_with(IonBinary::kVersionMarker);
}

// Doubles the buffered text. So text that must be scanned again is twice as long each time.
void IonBlocks::fill() {
  if (unreadable_) std::rethrow_exception(unreadable_);
  if (buffer_.size() - at_ > kMaxRecordBytes) fail(messages::kRecordTooLong);
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t wanted = std::max(RecordBlocks::kBlockBytes,
                                      std::min(buffer_.size(), kMaxRecordBytes - buffer_.size()));
  const std::size_t before = buffer_.size();
  std::size_t size = before;
  const std::size_t end = size + wanted;
  buffer_.resize(end);
  try {
    while (size < end && !at_end_) {
      const std::size_t count = source_.read(buffer_.data() + size, end - size);
      at_end_ = count == 0;
      size += count;
    }
  } catch (const TransferFileError&) {
    // Deliver the bytes that were read before the error first.
    if (size == before) throw;
    unreadable_ = std::current_exception();
  }
  buffer_.resize(size);
}

void IonBlocks::take_text(RecordBlock& block) {
  const IonTextStep step = read_ion_text(rest(), at_end_, item_);
  switch (step.kind) {
    case IonTextStep::Kind::kRecord:
      at_ += step.end;
      add_record(block);
      return;
    case IonTextStep::Kind::kEnd:
      at_ += step.end;
      if (!at_end_) fill();
      return;
    case IonTextStep::Kind::kMore:
      fill();
      return;
    case IonTextStep::Kind::kBroken:
      pass_over(step.begin, step.is_marked);
      add_record(block);
      return;
  }
}

void IonBlocks::pass_over(std::size_t begin, bool is_marked) {
  at_ += begin;
  const std::string_view next = is_marked ? kMarkedLine : std::string_view("\n");
  while (true) {
    const std::size_t found = rest().find(next);
    if (found != std::string_view::npos) {
      at_ += found + 1;
      return;
    }
    // The last bytes may be the start of the next marker.
    const std::size_t kept = at_end_ ? 0 : std::min(rest().size(), next.size() - 1);
    at_ = buffer_.size() - kept;
    if (at_end_) return;
    fill();
  }
}

void IonBlocks::take_binary(RecordBlock& block) {
  try {
    const std::optional<std::size_t> size = IonBinary::value_size(rest());
    if (size && *size > kMaxRecordBytes) fail(messages::kRecordTooLong);
    if (!size || *size > rest().size()) {
      if (at_end_) throw IonDamage(std::string(messages::kNoIon));
      fill();
      return;
    }
    const std::string_view value = rest().substr(0, *size);
    at_ += *size;
    if (binary_.read(value, item_)) add_record(block);
  } catch (const IonDamage& damage) {
    fail(damage.what());
  }
}

void IonBlocks::add_record(RecordBlock& block) {
  std::optional<std::string_view> problem = item_.problem();
  if (!problem) {
    // Strings were copied unchecked; the parser checks them now.
    parsed_ = item_.line();
    if (!document_.parse(parsed_)) problem = messages::kNoUtf8;
  }
  if (problem) {
    refuse_(record_, *problem);
  } else {
    block.text += item_.line();
  }
  block.text += '\n';
  ++record_;
}

}  // namespace magneto::server::formats
