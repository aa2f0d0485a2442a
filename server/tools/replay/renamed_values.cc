#include "server/tools/replay/renamed_values.h"

#include "api/json/json_writer.h"
#include "server/tools/replay/answer_difference.h"

namespace magneto::server::tools {

using api::json::Member;
using api::json::Value;

void RenamedValues::learn(Value recorded, Value found) {
  if (recorded.is_object()) {
    for (const Member member : recorded.object()) {
      const Value other = found.object().find(member.name);
      if (!is_volatile_member(member.name)) {
        learn(member.value, other);
      } else if (member.value.is_string() && other.is_string() && names_.size() < kMost &&
                 member.value.string() != other.string()) {
        names_.insert_or_assign(std::string(member.value.string()), other.string());
      }
    }
    return;
  }
  const api::json::Array others = found.array();
  auto other = others.begin();
  for (const Value one : recorded.array()) {
    if (!(other != others.end())) return;
    learn(one, *other);
    ++other;
  }
}

std::string RenamedValues::rename(Value request) const {
  std::string text;
  if (names_.empty()) {
    api::json::append_compact(request, text);
  } else {
    append(request, text);
  }
  return text;
}

void RenamedValues::append(Value value, std::string& text) const {
  if (value.is_string()) {
    const auto found = names_.find(value.string());
    api::json::append_string(text, found == names_.end() ? value.string() : found->second);
  } else if (value.is_object()) {
    text += '{';
    for (const Member member : value.object()) {
      if (text.back() != '{') text += ',';
      api::json::append_string(text, member.name);
      text += ':';
      append(member.value, text);
    }
    text += '}';
  } else if (value.is_array()) {
    text += '[';
    for (const Value one : value.array()) {
      if (text.back() != '[') text += ',';
      append(one, text);
    }
    text += ']';
  } else {
    api::json::append_compact(value, text);
  }
}

}  // namespace magneto::server::tools
