#include "api/tables/tag_checks.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "api/error.h"
#include "api/messages/resource_messages.h"
#include "api/request/parameters.h"
#include "api/tables/tag_characters.h"
#include "api/validation/constraint.h"

namespace magneto::api {
namespace {

void check_count(std::size_t tags) {
  if (tags > kMaxTags) {
    fail_validation(messages::kTooManyTags);
  }
}

void check_size(const Tags& tags) {
  std::size_t size = 0;
  for (const auto& [key, value] : tags) size += key.size() + value.size();
  if (size > kMaxTagsSize) fail_validation(messages::tags_too_large(size, kMaxTagsSize));
}

auto find_key(Tags& tags, std::string_view key) {
  return std::find_if(tags.begin(), tags.end(),
                      [key](const auto& tag) { return tag.first == key; });
}

// Whether the key begins with "aws:", in letters of any case.
bool is_reserved(std::string_view key) {
  constexpr std::string_view kPrefix = "aws:";
  return std::ranges::equal(kPrefix, key.substr(0, kPrefix.size()), {}, {}, [](char letter) {
    return absl::ascii_tolower(static_cast<unsigned char>(letter));
  });
}

void check_tag_key(std::string_view key) {
  if (key.empty() || utf16_length(key) > kMaxTagKeyLength) {
    fail_validation(messages::invalid_tag_key(key));
  }
  if (is_reserved(key)) fail_validation(messages::reserved_tag_key(key));
}

std::string read_tag_key(const Parameters& tag) {
  const auto key = tag.string("Key");
  if (!key) fail_validation(messages::invalid_tag_key("null"));
  if (!is_tag_text(*key)) fail_validation(messages::invalid_tag_key(*key));
  check_tag_key(*key);
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
    std::string key = read_tag_key(tag);
    if (find_key(tags, key) != tags.end()) {
      fail_validation(messages::duplicate_tag_key(key));
    }
    tags.emplace_back(std::move(key), read_value(tag));
    check_count(tags.size());
  }
  check_size(tags);
  return tags;
}

std::vector<std::string_view> read_tag_keys(json::Array list) {
  std::vector<std::string_view> keys;
  for (const json::Value key : list) {
    if (key.is_null()) continue;
    check_tag_key(key.string());
    keys.push_back(key.string());
    check_count(keys.size());
  }
  return keys;
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
  check_count(tags.size());
  check_size(tags);
}

}  // namespace magneto::api
