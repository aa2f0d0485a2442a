#include "server/formats/ion/ion_item.h"

#include <utility>

#include "api/json/base64.h"
#include "api/json/json_writer.h"
#include "server/formats/format.h"
#include "server/formats/messages.h"

namespace magneto::server::formats {

IonItem::Set IonItem::set_of(std::string_view annotation) {
  if (annotation == "$dynamodb_SS") return Set::kStrings;
  if (annotation == "$dynamodb_NS") return Set::kNumbers;
  if (annotation == "$dynamodb_BS") return Set::kBlobs;
  return Set::kNone;
}

void IonItem::clear() {
  line_.clear();
  frames_.clear();
  problem_.reset();
  at_start_ = true;
  has_item_ = false;
}

void IonItem::refuse(std::string_view problem) {
  if (!problem_) problem_ = problem;
}

void IonItem::string(std::string_view text) {
  if (!begin_value("S", Frame::kStrings)) return;
  api::json::append_string(line_, text);
  end_value();
}

void IonItem::number(std::string_view digits) {
  if (!begin_value("N", Frame::kNumbers)) return;
  line_.append("\"").append(digits).append("\"");
  end_value();
}

void IonItem::blob(std::string_view bytes) {
  if (!begin_value("B", Frame::kBlobs)) return;
  line_ += '"';
  api::json::encode_base64(bytes, line_);
  line_ += '"';
  end_value();
}

void IonItem::boolean(bool value) {
  if (!begin_value("BOOL", Frame::kRecord)) return;
  line_.append(value ? "true" : "false");
  end_value();
}

void IonItem::null() {
  if (!begin_value("NULL", Frame::kRecord)) return;
  line_.append("true");
  end_value();
}

void IonItem::begin_struct() {
  if (frames_.empty()) {
    open(Frame::kRecord, '{');
  } else if (frames_.back() == Frame::kRecord) {
    has_item_ = true;
    open(Frame::kItem, '{');
  } else if (begin_value("M", Frame::kRecord)) {
    open(Frame::kMap, '{');
  } else {
    frames_.push_back(Frame::kMap);
  }
}

void IonItem::begin_list(Set set) {
  constexpr std::pair<std::string_view, Frame> kForms[] = {
      {"L", Frame::kList}, {"SS", Frame::kStrings}, {"NS", Frame::kNumbers}, {"BS", Frame::kBlobs}};
  const auto& [type, frame] = kForms[static_cast<std::size_t>(set)];
  if (begin_value(type, Frame::kRecord)) {
    open(frame, '[');
  } else {
    frames_.push_back(frame);
  }
}

void IonItem::field(std::string_view name) {
  if (line_.size() > kMaxRecordBytes) refuse(messages::kRecordTooLong);
  if (problem_) return;
  if (frames_.back() == Frame::kRecord && (name != "Item" || has_item_)) {
    refuse(messages::kNoIonItem);
    return;
  }
  separate();
  api::json::append_string(line_, name);
  line_ += ':';
  at_start_ = true;
}

void IonItem::end() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame == Frame::kRecord && !has_item_) refuse(messages::kNoIonItem);
  if (problem_) return;
  line_ += frame <= Frame::kMap ? '}' : ']';
  at_start_ = false;
  if (frame > Frame::kItem) end_value();
}

// A value in a set is written without its type.
bool IonItem::begin_value(std::string_view type, Frame set) {
  if (frames_.empty() || frames_.back() == Frame::kRecord) refuse(messages::kNoIonItem);
  if (line_.size() > kMaxRecordBytes) refuse(messages::kRecordTooLong);
  if (problem_) return false;
  const Frame frame = frames_.back();
  separate();
  if (frame > Frame::kList) {
    if (frame != set) refuse(messages::kOtherInSet);
    return frame == set;
  }
  line_.append("{\"").append(type).append("\":");
  return true;
}

void IonItem::end_value() {
  if (frames_.back() <= Frame::kList) line_ += '}';
  at_start_ = false;
}

// Writes the comma before a list element or a field. A field's value gets none.
void IonItem::separate() {
  if (!std::exchange(at_start_, false)) line_ += ',';
}

void IonItem::open(Frame frame, char bracket) {
  frames_.push_back(frame);
  if (problem_) return;
  line_ += bracket;
  at_start_ = true;
}

}  // namespace magneto::server::formats
