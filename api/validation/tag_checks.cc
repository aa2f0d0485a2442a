#include "api/validation/tag_checks.h"

#include <algorithm>

#include "api/error.h"
#include "api/request/parameters.h"

namespace magneto::api {
namespace {

std::string shown(std::optional<std::string_view> text) {
  return text ? std::string(*text) : std::string("null");
}

std::string read_key(const Parameters& tag) {
  const auto key = tag.text("Key");
  if (!key || key->empty() || key->size() > kMaxTagKeyLength) {
    fail_validation("The Tag Key provided is invalid, Key: " + shown(key));
  }
  if (key->starts_with("aws:")) {
    fail_validation("Tag Key cannot be prefixed with aws:, Key: " + std::string(*key));
  }
  return std::string(*key);
}

std::string read_value(const Parameters& tag) {
  const auto value = tag.text("Value");
  if (!value || value->size() > kMaxTagValueLength) {
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
    const bool repeated = std::any_of(tags.begin(), tags.end(),
                                      [&key](const auto& other) { return other.first == key; });
    if (repeated) {
      fail_validation("Duplicate Tag Keys provided as input: Duplicate Tag Key found " + key);
    }
    tags.emplace_back(std::move(key), read_value(tag));
    if (tags.size() > kMaxTags) {
      fail_validation("Number of Tags exceed the current limit for the provided ResourceArn");
    }
  }
  return tags;
}

}  // namespace magneto::api
