#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/key_condition.h"
#include "storage/model/table_schema.h"

// The restrictions that a WHERE clause puts on the key of a table or index: plain data that api
// turns into the reads and writes of other operations. The key must have one partition attribute
// and at most one sort attribute. Views into the condition.
namespace magneto::expressions {

// The maximum number of reads by key that a clause may need (AWS developer guide, "PartiQL
// operators": IN takes 50 partition keys).
inline constexpr std::size_t kMaxKeyedReads = 50;

// One condition on the sort attribute.
struct SortCondition {
  storage::SortOperator op = storage::SortOperator::kNone;
  storage::AttributeView low;
  storage::AttributeView high;  // kBetween only

  friend bool operator==(const SortCondition&, const SortCondition&) = default;
};

// The values of which a condition on the partition attribute allows one: several only for IN. The
// same for conditions on the sort attribute.
using PartitionValues = std::vector<storage::AttributeView>;
using SortAlternatives = std::vector<SortCondition>;

// One branch of the clause's OR, with its conditions on the key. Equal conditions count once
// (captured facts 3, P28 and P50).
struct KeyBranch {
  std::vector<PartitionValues> partitions;
  std::vector<SortAlternatives> sorts;
  std::vector<const Node*> filters;  // the other conditions
  // A filter excludes some sort keys: "<>", or NOT around a condition on the sort attribute.
  bool excludes_sort_keys = false;

  bool pins_partition() const { return partitions.size() == 1; }
};

// The items of one partition that meet all `sort` conditions.
struct KeyedRead {
  storage::AttributeView partition;
  std::vector<SortCondition> sort;
  bool has_filter = false;
};

struct ReadPlan {
  // Every branch names the partition exactly once. If false, everything must be scanned, and
  // `reads` is empty.
  bool keyed = false;
  // Keyed, but with more than kMaxKeyedReads reads; `reads` is empty.
  bool too_many = false;
  std::vector<KeyBranch> branches;  // in the order of the clause
  std::vector<KeyedRead> reads;

  // Whether the clause names one item and has no other condition on it.
  bool names_only_one_item(const storage::KeySchema& key) const;
  // Whether two reads ask for one sort key of a partition. Of a plan with a branch whose sort keys
  // are no plain interval, nothing overlaps.
  bool overlaps() const;
};

// `condition`: nullptr if there is no WHERE clause. Values may have types that the key does not
// have.
ReadPlan plan_reads(const SyntaxTree* condition, const storage::KeySchema& key);

// Throws ExpressionError for the first value whose type differs from that of its key attribute. Of
// branches behind one whose key is not an equality and an interval, nothing is checked.
void check_key_types(const ReadPlan& plan, const storage::KeySchema& key);
// The same for one value.
void check_key_type(storage::AttributeView value, const storage::KeyAttribute& attribute);
// The part of it that refuses types that no key has.
void check_is_key_type(storage::AttributeView value, std::string_view attribute);

// The top-level attributes of the branch's filters, each once, in order of appearance.
std::vector<std::string_view> filter_attributes(const SyntaxTree& condition,
                                                const KeyBranch& branch);

// The equalities on key attributes that a clause requires of every item. IN with one value is one.
struct KeyEqualities {
  std::vector<storage::AttributeView> values;  // in schema order; absent if there is none
  // The same, with the first value of an IN where there is no equality.
  std::vector<storage::AttributeView> first_values;
  std::string_view contradicted;  // the first key attribute that is required to have two values
  std::string_view several;       // the first with several values, be it for an IN
  bool has_other_conditions = false;
};
KeyEqualities find_key_equalities(const SyntaxTree* condition, const storage::KeySchema& key);

}  // namespace magneto::expressions
