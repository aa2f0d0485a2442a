#include "expressions/key_condition.h"

#include <optional>
#include <string>
#include <utility>

#include "expressions/condition_checks.h"
#include "expressions/condition_parser.h"
#include "expressions/key_clauses.h"
#include "expressions/messages.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::KeyAttribute;
using storage::KeyCondition;
using storage::KeySchema;
using storage::SortOperator;

namespace {

[[noreturn]] void throw_refusal(std::string_view message) {
  throw ExpressionError(message, ExpressionError::Scope::kRequest);
}

[[noreturn]] void throw_missed(const KeyAttribute& attribute) {
  throw_refusal(messages::missed_key(attribute.name));
}

void check_value(const KeyAttribute& attribute, AttributeView value) {
  if (!value || value.type() != attribute.type) throw_wrong_key_type();
  if (value.type() != AttributeType::kNumber && value.scalar_bytes().empty()) {
    throw_refusal(messages::empty_key_value(value.type(), attribute.name));
  }
}

void append_name(std::string& names, const KeyAttribute& attribute) {
  if (!names.empty()) names += ", ";
  names += attribute.name;
}

class SchemaMatcher {
 public:
  SchemaMatcher(const std::vector<KeyClause>& clauses, const KeySchema& schema)
      : clauses_(clauses), schema_(schema) {}

  KeyCondition run() {
    const std::size_t key_attributes = schema_.partition.size() + schema_.sort.size();
    if (clauses_.size() > key_attributes) {
      throw_refusal(messages::too_many_key_conditions(clauses_.size(), key_attributes));
    }
    if (schema_.partition.size() == 1 && schema_.sort.size() <= 1) {
      match_partition(schema_.partition.front());
    } else {
      match_partitions();
    }
    match_sort();
    return std::move(condition_);
  }

 private:
  // nullptr if no clause names the attribute.
  const KeyClause* find_clause(const KeyAttribute& attribute) {
    for (const KeyClause& clause : clauses_) {
      if (clause.attribute != attribute.name) continue;
      ++matched_;
      check_value(attribute, clause.low);
      if (clause.high) check_value(attribute, clause.high);
      return &clause;
    }
    return nullptr;
  }

  void match_partition(const KeyAttribute& attribute) {
    const KeyClause* clause = find_clause(attribute);
    if (clause == nullptr) throw_missed(attribute);
    if (clause->comparison != SortOperator::kEqual) {
      throw_refusal(messages::kUnsupportedKeyCondition);
    }
    condition_.partition.push_back(clause->low);
  }

  // If a side of the key has several attributes, the message names all partition attributes that
  // lack an equality (captured facts 3, Q7).
  void match_partitions() {
    std::string lacking;
    for (const KeyAttribute& attribute : schema_.partition) {
      const KeyClause* clause = find_clause(attribute);
      if (clause != nullptr && clause->comparison == SortOperator::kEqual) {
        condition_.partition.push_back(clause->low);
        continue;
      }
      append_name(lacking, attribute);
    }
    if (lacking.empty()) return;
    throw_refusal(messages::partition_without_equality(lacking));
  }

  void match_sort() {
    std::vector<const KeyClause*> found;
    std::size_t named = 0;  // number of sort attributes up to and including the last named one
    const KeyAttribute* first_missed = nullptr;
    for (const KeyAttribute& attribute : schema_.sort) {
      found.push_back(find_clause(attribute));
      if (found.back() != nullptr) named = found.size();
      if (found.back() == nullptr && first_missed == nullptr) first_missed = &attribute;
    }
    if (matched_ < clauses_.size()) {
      if (first_missed == nullptr) throw_refusal(messages::kUnsupportedKeyCondition);
      throw_missed(*first_missed);
    }
    if (named == 0) return;
    check_prefix(found, named);
    for (std::size_t i = 0; i + 1 < named; ++i) condition_.sort_equal.push_back(found[i]->low);
    const KeyClause& last = *found[named - 1];
    condition_.sort_operator = last.comparison;
    condition_.low = last.low;
    condition_.high = last.high;
  }

  // Requires an equality for each sort attribute before the last named one.
  void check_prefix(const std::vector<const KeyClause*>& found, std::size_t named) const {
    std::string lacking;
    for (std::size_t i = 0; i + 1 < named; ++i) {
      if (found[i] != nullptr && found[i]->comparison == SortOperator::kEqual) continue;
      append_name(lacking, schema_.sort[i]);
    }
    if (lacking.empty()) return;
    throw_refusal(messages::sort_without_equality(lacking, schema_.sort[named - 1].name));
  }

  const std::vector<KeyClause>& clauses_;
  const KeySchema& schema_;
  std::size_t matched_ = 0;
  KeyCondition condition_;
};

}  // namespace

struct KeyConditionExpression::State {
  std::shared_ptr<const ParsedCondition> parsed;  // keeps the names in the text alive
  SyntaxTree tree;                                // empty if made from clauses
  std::vector<KeyClause> clauses;

  std::vector<KeyClause> checked_clauses() const {
    return tree.size() == 0 ? clauses : key_clauses(tree);
  }
};

KeyConditionExpression::KeyConditionExpression(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
KeyConditionExpression::KeyConditionExpression(KeyConditionExpression&&) noexcept = default;
KeyConditionExpression& KeyConditionExpression::operator=(KeyConditionExpression&&) noexcept =
    default;
KeyConditionExpression::~KeyConditionExpression() = default;

KeyConditionExpression KeyConditionExpression::parse(std::string_view text,
                                                     Placeholders& placeholders) {
  auto state = std::make_unique<State>();
  state->parsed = parse_condition(text);
  state->tree = state->parsed->tree;
  bind_condition(state->tree, placeholders);
  return KeyConditionExpression(std::move(state));
}

KeyConditionExpression KeyConditionExpression::of(std::vector<KeyClause> clauses) {
  auto state = std::make_unique<State>();
  state->clauses = std::move(clauses);
  return KeyConditionExpression(std::move(state));
}

void KeyConditionExpression::check_form() const { state_->checked_clauses(); }

std::vector<KeyClause> KeyConditionExpression::clauses() const { return state_->checked_clauses(); }

KeyCondition KeyConditionExpression::against(const KeySchema& schema) const {
  const std::vector<KeyClause> clauses = state_->checked_clauses();
  return SchemaMatcher(clauses, schema).run();
}

void throw_wrong_key_type() { throw_refusal(messages::kWrongKeyType); }

}  // namespace magneto::expressions
