#include "api/tables/tag_checks.h"

#include <algorithm>

#include "api/error.h"
#include "api/request/parameters.h"
#include "api/tables/tag_characters.h"
#include "api/validation/constraint.h"

namespace magneto::api {
namespace {

std::string shown(std::optional<std::string_view> text) {
  return text ? std::string(*text) : std::string("null");
}

void check_count(const Tags& tags) {
  if (tags.size() > kMaxTags) {
    fail_validation("Number of Tags exceed the current limit for the provided ResourceArn");
  }
}

auto find_key(Tags& tags, std::string_view key) {
  return std::find_if(tags.begin(), tags.end(),
                      [key](const auto& tag) { return tag.first == key; });
}

std::string read_key(const Parameters& tag) {
  const auto key = tag.text("Key");
  if (!key || key->empty() || utf16_length(*key) > kMaxTagKeyLength || !is_tag_text(*key)) {
    fail_validation("The Tag Key provided is invalid, Key: " + shown(key));
  }
  if (key->starts_with("aws:")) {
    fail_validation("Tag Key cannot be prefixed with aws:, Key: " + std::string(*key));
  }
  return std::string(*key);
}

std::string read_value(const Parameters& tag) {
  const auto value = tag.text("Value");
  if (!value || utf16_length(*value) > kMaxTagValueLength || !is_tag_text(*value)) {
    fail_validation("The Tag Value provided is invalid, Value: " + shown(value));
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
      fail_validation("Duplicate Tag Keys provided as input: Duplicate Tag Key found " + key);
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
