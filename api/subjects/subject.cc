#include "api/subjects/subject.h"

#include <algorithm>

#include "api/json/json_writer.h"
#include "api/subjects/value_text.h"

namespace magneto::api {
namespace {

std::string_view text_of(storage::SortOperator op) {
  using storage::SortOperator;
  switch (op) {
    case SortOperator::kLess:
      return " < ?";
    case SortOperator::kLessOrEqual:
      return " <= ?";
    case SortOperator::kGreater:
      return " > ?";
    case SortOperator::kGreaterOrEqual:
      return " >= ?";
    case SortOperator::kBetween:
      return " BETWEEN ?";
    case SortOperator::kBeginsWith:
      return " begins_with ?";
    case SortOperator::kNone:
    case SortOperator::kEqual:
      break;
  }
  return " = ?";
}

}  // namespace

void Subject::add_condition(std::string_view attribute, storage::SortOperator op) {
  conditions_.append(" AND ").append(attribute).append(text_of(op));
}

void Subject::add_alternatives(std::string_view attribute) {
  conditions_.append(" AND ").append(attribute).append(" IN ?");
}

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
  for (const auto element : key().attributes()) {
    const std::optional<std::string> value = key_text(element.attribute.name);
    if (!value && only_whole) return {};
    if (!value) continue;
    writer.escaped_key(element.attribute.name);
    writer.string(*value);
  }
  writer.end_object();
  return text;
}

const storage::KeySchema& Subject::key() const {
  const storage::Index* const index = pinned_->find_index(index_);
  return index != nullptr ? index->schema.key : pinned_->schema.key;
}

std::string Subject::key_form() const {
  std::string form;
  if (pinned_ == nullptr) return form;
  for (const auto element : key().attributes()) {
    if (!key_text(element.attribute.name)) continue;
    form.append(" AND ").append(element.attribute.name).append(" = ?");
  }
  constexpr std::size_t kFirstAnd = std::string_view(" AND ").size();
  return form.append(conditions_).erase(0, kFirstAnd);
}

std::size_t Subject::partition_attributes() const {
  if (pinned_ == nullptr) return 0;
  const std::vector<storage::KeyAttribute>& partition = key().partition;
  const auto is_known = [this](const auto& attribute) {
    return key_text(attribute.name).has_value();
  };
  return std::ranges::all_of(partition, is_known) ? partition.size() : 0;
}

std::string Subject::whole_key() const { return key_json(true); }

std::string Subject::known_key() const { return key_json(false); }

}  // namespace magneto::api
