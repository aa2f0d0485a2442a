#include "api/statements/statement_read.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/error.h"
#include "api/insights/key_usage.h"
#include "api/java_hash_order.h"
#include "api/messages/key_messages.h"
#include "api/messages/statement_messages.h"
#include "api/reads/read_view.h"
#include "api/reads/start_key.h"
#include "api/validation/key_checks.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/key_value.h"
#include "storage/model/narrow.h"
#include "storage/model/value_writer.h"

namespace magneto::api {

using expressions::KeyBranch;
using expressions::KeyedRead;
using expressions::ReadPlan;
using expressions::SortCondition;
using expressions::Statement;
using storage::AttributeView;
using storage::ItemView;
using storage::ReadRange;
using storage::SortOperator;

namespace {

// AWS developer guide, "PartiQL operators": with IN, a page covers ten of its values.
constexpr std::size_t kMaxReadsInPage = 10;

std::string_view key_bytes(AttributeView value) { return value.scalar_bytes(); }

bool is_equality(const SortCondition& sort) { return sort.op == SortOperator::kEqual; }

// Appends a key value as text.
void append_text(AttributeView value, std::string& text) {
  if (value.type() == storage::AttributeType::kNumber) {
    storage::append_decimal(value.scalar_bytes(), text);
  } else {
    text += value.scalar_bytes();
  }
}

// The key attributes of an item in the table and in the index that is read.
storage::Item key_attributes(const ReadTarget& target, ItemView item) {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  for (const storage::KeySchema* key : {&target.table->schema.key, &target.key()}) {
    for (const auto element : key->attributes()) {
      writer.name(element.attribute.name);
      writer.value(item.find(element.attribute.name));
    }
  }
  writer.end_item();
  return storage::Item(std::move(bytes));
}

void check_not_empty(std::string_view attribute, AttributeView value) {
  if (value.scalar_bytes().empty())
    fail_validation(messages::empty_key_value(value.type(), attribute));
}

void check_sort_size(AttributeView value) {
  if (value && storage::key_value_problem(value, value.type(), false) ==
                   storage::KeyValueProblem::kTooLong) {
    fail_validation(messages::kLongSortKey);
  }
}

// Whether the values have the types of the key. Conditions with others hold for no item.
bool has_key_types(const storage::KeySchema& key, const KeyedRead& read) {
  if (read.partition.type() != key.partition.front().type) return false;
  return std::ranges::all_of(read.sort, [&key](const SortCondition& sort) {
    const storage::AttributeType type = key.sort.front().type;
    return sort.low.type() == type && (!sort.high || sort.high.type() == type);
  });
}

// Refuses key values that are empty. Refuses a value that is too long only where it is the only one
// of its attribute, and the partition has one value (captured facts 3, P29).
void check_key_values(const storage::KeySchema& key, std::span<const KeyedRead> reads) {
  for (const KeyedRead& read : reads) {
    if (!has_key_types(key, read)) continue;
    check_not_empty(key.partition.front().name, read.partition);
    for (const SortCondition& sort : read.sort) {
      if (is_equality(sort)) check_not_empty(key.sort.front().name, sort.low);
    }
  }
  if (reads.empty()) return;
  const KeyedRead& first = reads.front();
  const bool has_one_partition = std::ranges::all_of(
      reads, [&first](const KeyedRead& read) { return read.partition == first.partition; });
  if (!has_one_partition) return;
  check_key_value(key.partition.front().name, first.partition, true);
  const bool has_one_sort_key = std::ranges::all_of(
      reads, [&first](const KeyedRead& read) { return read.sort == first.sort; });
  if (!has_one_sort_key || first.sort.size() != 1) return;
  check_sort_size(first.sort.front().low);
  check_sort_size(first.sort.front().high);
}

// The branch that AWS's map of them gives first, by the values of their partitions (captured facts
// 3, P51).
const KeyBranch& first_in_hash_order(std::span<const KeyBranch> branches) {
  std::vector<std::string> texts;
  for (const KeyBranch& branch : branches) {
    std::string text;
    const auto& values = branch.partitions.front();
    if (!values.empty()) append_text(values.front(), text);
    texts.push_back(std::move(text));
  }
  const std::vector<std::string_view> names(texts.begin(), texts.end());
  const std::string_view first = names_in_hash_order(names, FirstTable::kSixteen).front();
  return branches[static_cast<std::size_t>(std::ranges::find(names, first) - names.begin())];
}

}  // namespace

StatementRead::StatementRead(storage::Database& database, ReadTarget target,
                             const Statement& statement, bool consistent)
    : database_(database),
      statement_(statement),
      target_(std::move(target)),
      consistent_(consistent) {
  check_columns();
  check_ordering();
  const ReadPlan plan = expressions::plan_reads(statement.condition_tree(), target_.key());
  if (plan.too_many) fail_validation(messages::kTooManyKeyedReads);
  if (plan.overlaps()) fail_validation(messages::kOverlappingSortKeys);
  if (!statement.ordering().empty()) check_ordered_partitions(plan);
  check_key_types(plan, target_.key());
  if (plan.keyed) {
    read_keys(plan);
  } else {
    read_all();
  }
}

void StatementRead::check_columns() {
  if (target_.index == nullptr || statement_.columns() == nullptr) return;
  returns_whole_items_ = needs_whole_items(target_, statement_.columns()->attributes());
}

// ORDER BY requires a WHERE clause, and takes key attributes.
void StatementRead::check_ordering() const {
  if (statement_.ordering().empty()) return;
  if (statement_.condition() == nullptr) fail_validation(messages::kOrderWithoutWhere);
  for (const Statement::Ordering& order : statement_.ordering()) {
    if (!order.refusal.empty()) fail_validation(order.refusal);
    if (target_.key().contains(order.attribute)) continue;
    fail_validation(messages::order_by_other(order.attribute));
  }
}

void StatementRead::check_ordered_partitions(const ReadPlan& plan) const {
  if (!plan.keyed) fail_validation(messages::kOrderWithoutKey);
  if (ordering_of(target_.key().partition.front().name) != nullptr || plan.reads.empty()) return;
  const AttributeView first = plan.reads.front().partition;
  if (std::ranges::any_of(plan.reads,
                          [first](const KeyedRead& read) { return read.partition != first; })) {
    fail_validation(messages::kOrderWithoutPartition);
  }
}

// Of several terms on an attribute the first counts.
const Statement::Ordering* StatementRead::ordering_of(std::string_view attribute) const {
  for (const Statement::Ordering& order : statement_.ordering()) {
    if (order.attribute == attribute) return &order;
  }
  return nullptr;
}

void StatementRead::read_all() {
  filter_ = statement_.condition();
  reads_.push_back({{}, ReadRange::of_segment(*target_.table, target_.index, 0, 1)});
}

void StatementRead::read_keys(const ReadPlan& plan) {
  check_key_values(target_.key(), plan.reads);
  const bool projects_all = target_.index == nullptr ||
                            target_.index->schema.projection.type == storage::ProjectionType::kAll;
  if (!projects_all && !plan.branches.empty()) {
    check_filter_is_projected(
        target_, names_in_hash_order(filter_attributes(*statement_.condition_tree(),
                                                       first_in_hash_order(plan.branches)),
                                     FirstTable::kSixteen));
  }
  // The keys express the whole clause, unless an alternative has a filter.
  if (std::any_of(plan.reads.begin(), plan.reads.end(),
                  [](const KeyedRead& read) { return read.has_filter; })) {
    filter_ = statement_.condition();
  }
  if (names_item(plan)) {
    const KeyedRead& only = plan.reads.front();
    item_key_values_ = {only.partition};
    if (!only.sort.empty()) item_key_values_.push_back(only.sort.front().low);
    item_key_ = storage::item_key(
        target_.table->schema.number,
        {only.partition, only.sort.empty() ? AttributeView() : only.sort.front().low});
    return;
  }
  for (const KeyedRead& read : plan.reads) {
    if (!has_key_types(target_.key(), read)) continue;
    ReadRange range = range_of(read);
    if (range.empty()) continue;
    reads_.push_back({read.partition, std::move(range)});
  }
  join_overlaps();
  order_reads();
}

// Whether the keys identify one item of the table.
bool StatementRead::names_item(const ReadPlan& plan) const {
  if (target_.index != nullptr || plan.reads.size() != 1) return false;
  const std::vector<SortCondition>& sort = plan.reads.front().sort;
  if (target_.key().sort.empty()) return true;
  return sort.size() == 1 && is_equality(sort.front());
}

ReadRange StatementRead::range_of(const KeyedRead& read) const {
  storage::KeyCondition condition;
  condition.partition = {read.partition};
  const auto range_of_condition = [&] {
    return ReadRange::matching(*target_.table, target_.index, condition);
  };
  ReadRange range = range_of_condition();
  for (const SortCondition& sort : read.sort) {
    condition.sort_operator = sort.op;
    condition.low = sort.low;
    condition.high = sort.high;
    range.intersect(range_of_condition());
  }
  return range;
}

// Items that two reads select are returned once.
void StatementRead::join_overlaps() {
  std::sort(reads_.begin(), reads_.end(), [](const KeyRead& a, const KeyRead& b) {
    const int order = key_bytes(a.partition).compare(key_bytes(b.partition));
    return order != 0 ? order < 0 : a.range.begins_before(b.range);
  });
  std::vector<KeyRead> joined;
  for (KeyRead& read : reads_) {
    if (joined.empty() || joined.back().partition != read.partition ||
        joined.back().range.ends_before(read.range)) {
      joined.push_back(std::move(read));
      continue;
    }
    joined.back().range.extend_to(std::move(read.range));
  }
  reads_ = std::move(joined);
}

// Partitions are read in the order of their keys, and each in the order of its sort keys. With
// ORDER BY each attribute follows its own term, and a sort key without one descends (captured facts
// 3, P45).
void StatementRead::order_reads() {
  if (statement_.ordering().empty()) return;
  const storage::KeySchema& key = target_.key();
  const Statement::Ordering* partition = ordering_of(key.partition.front().name);
  const Statement::Ordering* sort = key.sort.empty() ? nullptr : ordering_of(key.sort.front().name);
  const bool backward = sort == nullptr || sort->descending;
  const bool partitions_backward = partition != nullptr && partition->descending;
  if (backward) direction_ = storage::Direction::kBackward;
  std::sort(reads_.begin(), reads_.end(), [&](const KeyRead& a, const KeyRead& b) {
    const int order = key_bytes(a.partition).compare(key_bytes(b.partition));
    if (order != 0) return (order < 0) != partitions_backward;
    return backward ? b.range.begins_before(a.range) : a.range.begins_before(b.range);
  });
}

std::span<const AttributeView> StatementRead::partition() const {
  if (item_key_) return std::span(item_key_values_).first(1);
  return reads_.size() == 1 && reads_.front().partition ? std::span(&reads_.front().partition, 1)
                                                        : std::span<const AttributeView>();
}

StatementRead::Outcome StatementRead::read(const StatementStart* start,
                                           std::optional<std::int64_t> limit,
                                           storage::Effort& effort,
                                           absl::FunctionRef<void(ItemView item)> found,
                                           KeyUsage* notes) {
  const expressions::SelectedColumns* columns = statement_.columns();
  const auto select = [&](ItemView item) {
    columns == nullptr ? found(item) : found(columns->apply(item, effort));
  };
  if (item_key_) return read_item(effort, select, notes);
  Outcome outcome;
  std::size_t size_left = storage::kPageSize;
  const std::uint64_t begun = effort.spent();
  std::size_t number = start != nullptr ? start->read : 0;
  if (start != nullptr) start_behind(*start);
  if (reads_.empty()) outcome.capacity.table = read_units(0, consistent_);
  const std::size_t end = std::min(reads_.size(), number + kMaxReadsInPage);
  for (; number < end; ++number) {
    const PageRequest page{.target = target_,
                           .range = reads_[number].range,
                           .direction = direction_,
                           .limit = limit,
                           .size_limit = size_left,
                           .step_limit = kPageSteps - std::min(kPageSteps, effort.spent() - begun),
                           .filter = filter_,
                           .returns_whole_items = returns_whole_items_,
                           .consistent = consistent_,
                           .notes = notes};
    const PageOutcome walked = walk_page(database_, page, effort, select);
    outcome.capacity.add(walked.capacity);
    outcome.plan.read += walked.scanned;
    outcome.plan.returned += walked.count;
    outcome.plan.bytes += walked.bytes;
    if (walked.is_full()) {
      outcome.next = StatementStart{storage::narrow<std::uint32_t>(number),
                                    key_attributes(target_, walked.last)};
      return outcome;
    }
    if (limit) *limit -= walked.scanned;
    size_left -= walked.bytes;
  }
  if (end < reads_.size()) outcome.next = StatementStart{storage::narrow<std::uint32_t>(end), {}};
  return outcome;
}

void StatementRead::start_behind(const StatementStart& start) {
  if (start.read >= reads_.size()) fail_validation(messages::kInvalidToken);
  if (start.last.bytes().empty()) return;
  check_scan_start_key(target_, start.last);
  reads_[start.read].range.continue_after(target_.entry_key_of(start.last), direction_);
}

// Notes the key, whether the item exists or not.
void StatementRead::record_item(KeyUsage* notes) const {
  if (notes == nullptr || !KeyUsage::wants(*target_.table, nullptr, KeyEvent::kAccess)) return;
  const storage::KeySchema& key = target_.key();
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  for (std::size_t i = 0; i < item_key_values_.size(); ++i) {
    writer.name(i == 0 ? key.partition.front().name : key.sort.front().name);
    writer.value(item_key_values_[i]);
  }
  writer.end_item();
  notes->add(*target_.table, nullptr, KeyEvent::kAccess, storage::Item(std::move(bytes)));
}

StatementRead::Outcome StatementRead::read_item(storage::Effort& effort,
                                                absl::FunctionRef<void(ItemView item)> found,
                                                KeyUsage* notes) {
  const storage::StoredItem item =
      database_.get(*target_.table, *item_key_, view_of_read(database_, consistent_));
  record_item(notes);
  const bool matches = item && (filter_ == nullptr || filter_->matches(item.view(), effort));
  if (matches) found(item.view());
  Outcome outcome;
  outcome.plan = {1, matches ? 1 : 0, item.size()};
  outcome.capacity.table = item_read_units(*target_.table, item, consistent_);
  return outcome;
}

}  // namespace magneto::api
