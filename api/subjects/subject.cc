#include "api/subjects/subject.h"

#include <algorithm>

#include "api/json/json_writer.h"
#include "api/subjects/value_text.h"

namespace magneto::api {

std::string_view Subject::real_name(std::string_view attribute) const {
  if (pinned_ == nullptr) return attribute;
  const storage::KeySchema& key = pinned_->schema.key;
  if (attribute == "pk") return key.partition.front().name;
  if (attribute == "sk" && !key.sort.empty()) return key.sort.front().name;
  return attribute;
}

std::optional<std::string> Subject::key_text(std::string_view attribute) const {
  const std::string_view name = real_name(attribute);
  const auto found = std::ranges::find(
      texts_, name, [](const auto& text) -> std::string_view { return text.first; });
  if (found != texts_.end()) return found->second;
  return value_text(attributes_.object().find(name));
}

std::string Subject::key_json(bool only_whole) const {
  std::string text;
  if (pinned_ == nullptr) return text;
  json::Writer writer(text);
  writer.begin_object();
  const storage::Index* const index = pinned_->find_index(index_);
  const storage::KeySchema& key = index != nullptr ? index->schema.key : pinned_->schema.key;
  for (const auto element : key.attributes()) {
    const std::optional<std::string> value = key_text(element.attribute.name);
    if (!value && only_whole) return {};
    if (!value) continue;
    writer.escaped_key(element.attribute.name);
    writer.string(*value);
  }
  writer.end_object();
  return text;
}

std::string Subject::whole_key() const { return key_json(true); }

std::string Subject::known_key() const { return key_json(false); }

}  // namespace magneto::api
