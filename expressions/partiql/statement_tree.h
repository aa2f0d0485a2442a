#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "expressions/partiql/statement_lexer.h"

namespace magneto::expressions {

using TermIndex = std::uint32_t;

enum class TermKind : std::uint8_t {
  kIdentifier,
  kPath,      // a term, then kMember, kWildcard or index terms
  kMember,    // ".name"
  kWildcard,  // ".*" or "[*]"
  kString,
  kNumber,  // `negative`: whether the signs before it make it negative
  kBoolean,
  kNull,
  kMissing,
  kIon,
  kParameter,  // `first` is its number, from 0
  kList,
  kBag,
  kStruct,  // names and values alternate
  kCall,
  kAggregate,     // count, avg, max, min, sum
  kSearchedCase,  // CASE WHEN ...: conditions and results alternate; ELSE's comes last
  kSimpleCase,    // CASE x WHEN ...: x comes before these
  kUnary,
  kBinary,
  kBetween,  // three terms
  kIs,       // a term and a kType
  kType,
  kSelect,            // `first` is the index of the SelectClause
  kDataManipulation,  // `first` is the index of the DataManipulation
};

struct Term {
  TermKind kind;
  bool negative = false;    // kNumber; kBetween and kIs: written with NOT
  std::uint32_t token = 0;  // the token that messages point at
  std::uint32_t first = 0;  // into the operand list, unless said otherwise
  std::uint32_t count = 0;
};

// NULLS FIRST and NULLS LAST mean nothing to DynamoDB.
struct OrderingTerm {
  TermIndex key;
  bool descending = false;
};

// A SELECT. Clauses that DynamoDB does not have are only noted.
struct SelectClause {
  bool all_columns = false;  // "*"
  std::vector<TermIndex> columns;
  TermIndex source = 0;
  std::optional<TermIndex> condition;
  std::vector<OrderingTerm> ordering;
  bool has_alias = false;
  bool has_join = false;
  bool is_distinct = false;
  bool is_value = false;
  // The first clause that DynamoDB does not have: "LIMIT", "GROUP BY" ...
  std::string_view unsupported_clause;
};

// One SET or REMOVE.
struct StatementAction {
  TermIndex target;
  std::optional<TermIndex> value;  // absent for REMOVE
};

enum class Returning : std::uint8_t { kNone, kAllOld, kAllNew, kModifiedOld, kModifiedNew };

struct DataManipulation {
  enum class Kind : std::uint8_t { kInsert, kUpdate, kDelete };
  Kind kind;
  TermIndex target = 0;
  std::optional<TermIndex> condition;
  std::vector<StatementAction> actions;  // kUpdate
  std::optional<TermIndex> inserted;     // kInsert
  Returning returning = Returning::kNone;
  bool returns_columns = false;  // RETURNING has something other than "*", or several things
  bool has_alias = false;
  bool has_join = false;
  bool has_target = true;         // false: SET or REMOVE without UPDATE
  bool inserts_values = false;    // INSERT INTO without VALUE, or with AT or ON CONFLICT
  bool mixes_operations = false;  // an INSERT between the SETs
};

// A parsed statement. Terms come before the terms that contain them.
struct StatementTree {
  StatementTokens tokens;
  std::vector<Term> terms;
  std::vector<TermIndex> operand_list;
  std::vector<SelectClause> selects;
  std::vector<DataManipulation> manipulations;
  TermIndex root = 0;
  std::uint32_t parameter_count = 0;

  const Term& term(TermIndex index) const { return terms[index]; }
  const StatementToken& token(const Term& term) const { return tokens.list[term.token]; }
  std::span<const TermIndex> operands(const Term& term) const {
    return std::span(operand_list).subspan(term.first, term.count);
  }
  const Term& operand(const Term& term, std::size_t number) const {
    return terms[operand_list[term.first + number]];
  }
};

}  // namespace magneto::expressions
