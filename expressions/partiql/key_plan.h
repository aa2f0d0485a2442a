#pragma once

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

// The maximum number of alternatives of a clause that are read by key (AWS developer guide,
// "PartiQL operators": IN takes 50 partition keys).
inline constexpr std::size_t kMaxKeyedReads = 50;

// One condition on the sort attribute.
struct SortCondition {
  storage::SortOperator op = storage::SortOperator::kNone;
  storage::AttributeView low;
  storage::AttributeView high;  // kBetween only
};

// One alternative of the WHERE clause: the items of one partition that meet all `sort` conditions,
// and whether the clause has other conditions.
struct KeyedRead {
  storage::AttributeView partition;
  std::vector<SortCondition> sort;
  bool has_filter = false;
  // The filter excludes some sort keys: "<>", or NOT around a condition on the sort attribute.
  bool excludes_sort_keys = false;
};

struct ReadPlan {
  // Every alternative names a partition key. If false, everything must be scanned, and `reads` is
  // empty.
  bool keyed = false;
  // Keyed, but with more than kMaxKeyedReads alternatives; `reads` is empty.
  bool too_many = false;
  std::vector<KeyedRead> reads;
  // Top-level attributes of the filters that all reads share, each once, in order of appearance.
  std::vector<std::string_view> common_filter_attributes;

  // Whether the clause names one item and has no other condition on it.
  bool names_only_one_item(const storage::KeySchema& key) const;
};

// `condition`: nullptr if there is no WHERE clause. Values may have types that the key does not
// have.
ReadPlan plan_reads(const SyntaxTree* condition, const storage::KeySchema& key);

// Throws ExpressionError for the first value whose type differs from that of its key attribute.
void check_key_types(const ReadPlan& plan, const storage::KeySchema& key);

// The equalities on key attributes that a clause requires of every item.
struct KeyEqualities {
  std::vector<storage::AttributeView> values;  // in schema order; absent if there is none
  std::string_view contradicted;               // the first key attribute that is required to have
                                               // two values
  bool has_other_conditions = false;

  bool is_complete() const;
};
KeyEqualities find_key_equalities(const SyntaxTree* condition, const storage::KeySchema& key);

}  // namespace magneto::expressions
