#include "api/tables/tag_checks.h"

#include <algorithm>

#include "api/error.h"
#include "api/messages/resource_messages.h"
#include "api/request/parameters.h"
#include "api/tables/tag_characters.h"
#include "api/validation/constraint.h"

namespace magneto::api {
namespace {

void check_count(const Tags& tags) {
  if (tags.size() > kMaxTags) {
    fail_validation(messages::kTooManyTags);
  }
}

auto find_key(Tags& tags, std::string_view key) {
  return std::find_if(tags.begin(), tags.end(),
                      [key](const auto& tag) { return tag.first == key; });
}

std::string read_key(const Parameters& tag) {
  const auto key = tag.string("Key");
  if (!key || key->empty() || utf16_length(*key) > kMaxTagKeyLength || !is_tag_text(*key)) {
    fail_validation(messages::invalid_tag_key(key.value_or("null")));
  }
  if (key->starts_with("aws:")) {
    fail_validation(messages::reserved_tag_key(*key));
  }
  return std::string(*key);
}

std::string read_value(const Parameters& tag) {
  const auto value = tag.string("Value");
  if (!value || utf16_length(*value) > kMaxTagValueLength || !is_tag_text(*value)) {
    fail_validation(messages::invalid_tag_value(value.value_or("null")));
  }
  return std::string(*value);
}

}  // namespace

Tags read_tags(json::Array list) {
  Tags tags;
  for (const json::Value element : list) {
    if (element.is_null()) continue;
    const Parameters tag(element);
    std::string key = read_key(tag);
    if (find_key(tags, key) != tags.end()) {
      fail_validation(messages::duplicate_tag_key(key));
    }
    tags.emplace_back(std::move(key), read_value(tag));
    check_count(tags);
  }
  return tags;
}

void add_tags(Tags& tags, Tags added) {
  for (auto& tag : added) {
    const auto present = find_key(tags, tag.first);
    if (present != tags.end()) {
      present->second = std::move(tag.second);
    } else {
      tags.push_back(std::move(tag));
    }
  }
  check_count(tags);
}

}  // namespace magneto::api
