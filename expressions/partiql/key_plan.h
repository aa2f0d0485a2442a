#pragma once

#include <string_view>
#include <vector>

#include "expressions/syntax_tree.h"
#include "storage/model/attribute_value.h"
#include "storage/model/key_condition.h"
#include "storage/model/table_schema.h"

// What a WHERE clause says about the key of a table or index: plain data that api turns into the
// reads and writes of the other operations. The key has one partition attribute and at most one
// sort attribute. Views into the condition.
namespace magneto::expressions {

// Ways to meet a clause that are read by key (AWS developer guide, "PartiQL operators": IN takes 50
// partition keys).
inline constexpr std::size_t kMaxKeyedReads = 50;

// One condition on the sort attribute.
struct SortCondition {
  storage::SortOperator op = storage::SortOperator::kNone;
  storage::AttributeView low;
  storage::AttributeView high;  // kBetween only
};

// One way to meet the WHERE clause: items of one partition that meet all `sort` conditions, and
// what the clause asks beside them.
struct KeyedRead {
  storage::AttributeView partition;
  std::vector<SortCondition> sort;
  bool has_filter = false;
  // The filter keeps out some sort keys: "<>", or NOT around a condition on the sort attribute.
  bool excludes_sort_keys = false;
};

struct ReadPlan {
  // Every way to meet the clause names a partition key; otherwise everything is to be scanned and
  // `reads` is empty.
  bool keyed = false;
  // Keyed, but in more than kMaxKeyedReads ways; `reads` is empty.
  bool too_many = false;
  std::vector<KeyedRead> reads;
  // Of the filters that every read has: top-level attributes, each once, in order of appearance.
  std::vector<std::string_view> common_filter_attributes;

  // One item is named, and nothing else is asked of it.
  bool names_only_one_item(const storage::KeySchema& key) const;
};

// `condition` nullptr: no WHERE clause. Values may have types the key does not have.
ReadPlan plan_reads(const SyntaxTree* condition, const storage::KeySchema& key);

// Throws ExpressionError for the first value of another type than the key attribute it is compared
// with.
void check_key_types(const ReadPlan& plan, const storage::KeySchema& key);

// The equalities on key attributes a clause asks of every item.
struct KeyEqualities {
  std::vector<storage::AttributeView> values;  // in schema order; absent when there is none
  std::string_view contradicted;               // the first key attribute with two values
  bool has_other_conditions = false;

  bool is_complete() const;
};
KeyEqualities find_key_equalities(const SyntaxTree* condition, const storage::KeySchema& key);

}  // namespace magneto::expressions
