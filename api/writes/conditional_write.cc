#include "api/writes/conditional_write.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "api/capacity/metering.h"
#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/messages/key_messages.h"
#include "api/messages/value_messages.h"
#include "api/messages/write_messages.h"
#include "api/storage_refusal.h"
#include "api/validation/key_checks.h"
#include "expressions/path_values.h"
#include "storage/database.h"
#include "storage/model/item_size.h"
#include "storage/model/limits.h"
#include "storage/model/narrow.h"
#include "storage/table/write_refused.h"

namespace magneto::api {

using expressions::PathElement;
using expressions::PathTable;
using expressions::PathView;
using expressions::Update;
using storage::AttributeView;
using storage::Effort;
using storage::Item;
using storage::ItemView;
using storage::StoredItem;
using storage::TableSchema;
using storage::WriteDecision;

namespace {

// Spends the steps of a write: finding the index entries of the old and new item, copying their
// content, and building the new item. They are counted for each byte of both items, and again for
// each index.
void spend_on_write(Effort& effort, const TableSchema& schema, const StoredItem& before,
                    ItemView after) {
  constexpr std::size_t kBytesInAStep = 4;
  const std::size_t bytes = before.view().bytes().size() + after.bytes().size();
  effort.spend(bytes / kBytesInAStep * (1 + schema.indexes.size()));
}

// The stored form of a value takes at least half of its counted bytes (a NULL in a list: one byte,
// counted as two).
bool is_oversized(ItemView item) {
  return 2 * item.bytes().size() > storage::kMaxItemSize &&
         storage::item_size(item) > storage::kMaxItemSize;
}

void check_updated_index_key(const TableSchema& schema, std::string_view attribute,
                             AttributeView value) {
  using Kind = IndexKeyProblem::Kind;
  switch (index_key_problem(schema, attribute, value).kind) {
    case Kind::kNone:
      return;
    case Kind::kWrongType:
      fail_validation(messages::kUpdatedIndexKeyType);
    case Kind::kEmptyString:
    case Kind::kEmptyBinary:
      fail_validation(messages::empty_updated_index_key_value(value.type()));
    case Kind::kTooLong:
      check_index_key_value(schema, attribute, value);
  }
}

// The values of attributes named in `attributes`. Few are looked up one by one, many in a single
// walk over the item.
using Values = absl::InlinedVector<AttributeView, 8>;
Values find_all(ItemView item, std::span<const PathElement> attributes, Effort& effort) {
  Values values;
  if (attributes.size() <= PathTable::kFew) {
    for (const PathElement& attribute : attributes) values.push_back(item.find(attribute.name));
    effort.spend(attributes.size() * item.size());
    return values;
  }
  std::vector<PathTable::Entry> entries;
  for (const PathElement& attribute : attributes) {
    entries.push_back({PathView(&attribute, 1), storage::narrow<std::uint32_t>(entries.size())});
  }
  const auto found = PathTable(std::move(entries), attributes.size()).find_all(item, effort);
  values.assign(found.by_slot.begin(), found.by_slot.end());
  return values;
}

// The attributes that contain the targets, each once, in order of appearance. An attribute with
// nested targets has no other targets.
using Attributes = absl::InlinedVector<PathElement, 8>;
Attributes attributes_of(std::span<const PathView> targets, bool nested_only) {
  Attributes attributes;
  absl::flat_hash_set<std::string_view> seen;
  for (const PathView target : targets) {
    if (nested_only && target.size() == 1) continue;
    // Only nested targets can share an attribute.
    if (target.size() == 1 || seen.insert(target.front().name).second) {
      attributes.push_back(target.front());
    }
  }
  return attributes;
}

void check_nesting(AttributeView value, Effort& effort) {
  if (!value || !storage::is_document(value.type())) return;
  effort.spend(value.bytes().size() / 2);  // the smallest size of members
  if (storage::nesting_levels(value) <= storage::kMaxNestingLevels) return;
  fail_validation(messages::kStoredTooDeep);
}

// Checks that are possible only on the finished item: index keys computed from other attributes,
// index keys older than their index, and documents that a nested target has made too deep.
void check_updated_item(const TableSchema& schema, const Update& update, ItemView item,
                        Effort& effort) {
  const bool has_indexes = !schema.indexes.empty();
  const Attributes attributes = attributes_of(update.targets(), !has_indexes);
  if (attributes.empty()) return;
  const auto nested = attributes_of(update.targets(), true);
  const Values values = find_all(item, attributes, effort);
  std::size_t next_nested = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (next_nested < nested.size() && nested[next_nested].name == attributes[i].name) {
      ++next_nested;
      check_nesting(values[i], effort);
    }
    if (has_indexes && values[i]) check_updated_index_key(schema, attributes[i].name, values[i]);
  }
  check_index_keys(schema, item);
}

}  // namespace

WriteDecision PutDecision::operator()(const StoredItem& current) const {
  if (!holds(condition, current, effort)) return WriteDecision::reject();
  spend_on_write(effort, schema, current, item);
  return WriteDecision::put(item);
}

WriteDecision DeleteDecision::operator()(const StoredItem& current) const {
  if (!holds(condition, current, effort)) return WriteDecision::reject();
  spend_on_write(effort, schema, current, {});
  return current ? WriteDecision::remove() : WriteDecision::keep();
}

WriteDecision UpdateDecision::operator()(const StoredItem& current) const {
  if (!holds(condition, current, effort)) return WriteDecision::reject();
  const ItemView base = current ? current.view() : key.view();
  if (update == nullptr) {
    check_index_keys(schema, base);
    return WriteDecision::put(Item(base));
  }
  if (!current && update->only_removes()) return WriteDecision::keep();
  Item item = update->apply(base, static_cast<bool>(current), effort);
  spend_on_write(effort, schema, current, item);
  if (is_oversized(item)) expressions::throw_oversized_update();
  check_updated_item(schema, *update, item, effort);
  return WriteDecision::put(std::move(item));
}

WriteDecision LegacyUpdateDecision::operator()(const StoredItem& current) const {
  if (!holds(decision.condition, current, decision.effort)) return WriteDecision::reject();
  Attributes attributes;
  for (const expressions::LegacyAttributeUpdate& update : updates) {
    attributes.push_back(PathElement::member(update.attribute));
  }
  const Values present = find_all(current.view(), attributes, decision.effort);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    if (updates[i].action == expressions::LegacyAction::kPut || !updates[i].value) continue;
    if (present[i] && present[i].type() != updates[i].value.type()) {
      fail_validation(messages::kUpdatedType);
    }
  }
  return decision(current);
}

Problem find_target_problem(const TableSchema& schema, const Update& update) {
  const std::vector<PathView>& targets = update.targets();
  for (const PathView target : targets) {
    if (schema.key.contains(target.front().name)) return messages::updated_key(target.front().name);
  }
  if (Problem found = find_literal_index_key_problem(schema, update)) return found;
  for (std::size_t i = 0; i < targets.size() && !schema.indexes.empty(); ++i) {
    const AttributeView value = update.literal_value(i);
    if (!value) continue;
    Problem found = find_index_key_value_problem(schema, targets[i].front().name, value);
    if (found) return found;
  }
  return find_nested_key_problem(schema, update.nested_attributes());
}

Problem find_literal_index_key_problem(const TableSchema& schema, const Update& update) {
  if (schema.indexes.empty()) return std::nullopt;
  const std::vector<PathView>& targets = update.targets();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const AttributeView value = update.literal_value(i);
    if (!value) continue;
    const auto kind = index_key_problem(schema, targets[i].front().name, value).kind;
    if (kind == IndexKeyProblem::Kind::kEmptyString ||
        kind == IndexKeyProblem::Kind::kEmptyBinary) {
      return messages::empty_updated_index_key_value(value.type());
    }
  }
  return std::nullopt;
}

Problem find_size_problem(ItemView item) {
  if (!is_oversized(item)) return std::nullopt;
  return std::string(messages::kItemTooLarge);
}

void check_statement_size(const Update& update) {
  if (update.statement_charge() > storage::kMaxItemSize) expressions::throw_oversized_update();
}

namespace {

// If storage refuses the write of one of several statements, only that statement must fail. So this
// function converts storage's exception to a request error.
storage::WriteOutcome write_or_refuse(storage::Database& database,
                                      const storage::ItemWrite& write) {
  try {
    return database.write(write);
  } catch (const storage::WriteRefused& refused) {
    throw refusal_of(refused).value();
  }
}

// Writes within the throughput of the keys of index entries, which only the decision knows.
storage::WriteOutcome write_within_throughput(const Request& request,
                                              const storage::ItemWrite& write) {
  Throttled found;
  const ThrottledWrite throttled(request.metering, write, found);
  storage::WriteOutcome outcome = write_or_refuse(request.database, throttled.write());
  if (found.empty()) return outcome;
  throw throughput_exceeded(*write.table, found, UnitUse::kWrite);
}

}  // namespace

storage::WriteOutcome write_or_throw(const Request& request, const storage::ItemWrite& write,
                                     ItemView key, bool return_item, json::SetOrder order) {
  request.metering.admit(*write.table, UnitUse::kWrite, key);
  storage::WriteOutcome outcome = request.metering.enforces_throughput()
                                      ? write_within_throughput(request, write)
                                      : write_or_refuse(request.database, write);
  request.effort.stay();
  request.metering.wrote(outcome, key);
  if (!outcome.rejected) return outcome;
  ErrorMember shown;
  if (return_item && outcome.old_item) {
    shown.name = "Item";
    json::append_item(shown.value, outcome.old_item.view(), order);
  }
  throw ApiError(ErrorType::kConditionalCheckFailed, messages::kConditionFailed, std::move(shown));
}

}  // namespace magneto::api
