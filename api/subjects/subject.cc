#include "api/subjects/subject.h"

#include <algorithm>

#include "api/json/json_writer.h"
#include "api/subjects/value_text.h"

namespace magneto::api {

std::optional<std::string> Subject::key_text(std::string_view attribute) const {
  const auto found = std::ranges::find(
      texts_, attribute, [](const auto& text) -> std::string_view { return text.first; });
  if (found != texts_.end()) return found->second;
  return value_text(attributes_.object().find(attribute));
}

std::optional<std::string> Subject::key_text_of_rule(std::string_view name) const {
  if (pinned_ == nullptr) return key_text(name);
  const storage::KeySchema& key = pinned_->schema.key;
  if (name == "pk") return key_text(key.partition.front().name);
  if (name == "sk" && !key.sort.empty()) return key_text(key.sort.front().name);
  return key_text(name);
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
