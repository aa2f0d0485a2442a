#include "expressions/partiql/statement_words.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <utility>

namespace magneto::expressions {

using storage::AttributeType;

namespace {

constexpr std::array kPartiqlKeywords = std::to_array<std::string_view>({
    "absolute",
    "action",
    "add",
    "all",
    "allocate",
    "alter",
    "any",
    "are",
    "assertion",
    "authorization",
    "avg",
    "bag",
    "begin",
    "bigint",
    "bit",
    "bit_length",
    "blob",
    "bool",
    "boolean",
    "can_cast",
    "can_lossless_cast",
    "cascade",
    "cascaded",
    "case",
    "cast",
    "catalog",
    "char",
    "char_length",
    "character",
    "character_length",
    "check",
    "clob",
    "close",
    "coalesce",
    "collate",
    "collation",
    "column",
    "commit",
    "conflict",
    "connect",
    "connection",
    "constraint",
    "constraints",
    "continue",
    "convert",
    "corresponding",
    "count",
    "create",
    "cross",
    "current",
    "current_date",
    "current_time",
    "current_timestamp",
    "current_user",
    "cursor",
    "date",
    "date_add",
    "date_diff",
    "deallocate",
    "dec",
    "decimal",
    "declare",
    "default",
    "deferrable",
    "deferred",
    "delete",
    "describe",
    "descriptor",
    "diagnostics",
    "disconnect",
    "distinct",
    "do",
    "domain",
    "double",
    "drop",
    "else",
    "end",
    "escape",
    "exception",
    "exec",
    "execute",
    "exists",
    "external",
    "extract",
    "fetch",
    "float",
    "foreign",
    "found",
    "from",
    "full",
    "get",
    "global",
    "go",
    "goto",
    "grant",
    "group",
    "having",
    "identity",
    "immediate",
    "index",
    "indicator",
    "initially",
    "inner",
    "input",
    "insensitive",
    "insert",
    "int",
    "int2",
    "int4",
    "int8",
    "integer",
    "integer2",
    "integer4",
    "integer8",
    "interval",
    "into",
    "isolation",
    "join",
    "key",
    "language",
    "left",
    "let",
    "level",
    "limit",
    "list",
    "local",
    "lower",
    "match",
    "max",
    "min",
    "modified",
    "module",
    "names",
    "national",
    "natural",
    "nchar",
    "new",
    "next",
    "no",
    "nothing",
    "nullif",
    "numeric",
    "octet_length",
    "of",
    "offset",
    "old",
    "on",
    "only",
    "open",
    "option",
    "order",
    "outer",
    "output",
    "overlaps",
    "pad",
    "partial",
    "pivot",
    "position",
    "precision",
    "prepare",
    "preserve",
    "primary",
    "prior",
    "privileges",
    "procedure",
    "public",
    "read",
    "real",
    "references",
    "relative",
    "remove",
    "restrict",
    "returning",
    "revoke",
    "right",
    "rollback",
    "rows",
    "schema",
    "scroll",
    "section",
    "select",
    "session",
    "session_user",
    "set",
    "sexp",
    "size",
    "smallint",
    "some",
    "space",
    "sql",
    "sqlcode",
    "sqlerror",
    "sqlstate",
    "string",
    "struct",
    "substring",
    "sum",
    "symbol",
    "system_user",
    "table",
    "temporary",
    "then",
    "time",
    "timestamp",
    "to",
    "transaction",
    "translate",
    "translation",
    "trim",
    "tuple",
    "unique",
    "unknown",
    "unpivot",
    "update",
    "upper",
    "usage",
    "user",
    "using",
    "value",
    "values",
    "varchar",
    "varying",
    "view",
    "when",
    "whenever",
    "where",
    "with",
    "work",
    "write",
    "zone",
});
static_assert(std::is_sorted(kPartiqlKeywords.begin(), kPartiqlKeywords.end()));

struct Operator {
  std::string_view text;
  int precedence;
};

constexpr std::array kOperators = std::to_array<Operator>({
    {"intersect", 5}, {"intersect_all", 5},
    {"except", 5},    {"except_all", 5},
    {"union", 5},     {"union_all", 5},
    {"or", 10},       {"and", 20},
    {"=", 40},        {"<>", 40},
    {"is", 40},       {"is_not", 40},
    {"in", 40},       {"not_in", 40},
    {"<", 50},        {"<=", 50},
    {">", 50},        {">=", 50},
    {"between", 50},  {"not_between", 50},
    {"like", 50},     {"not_like", 50},
    {"+", 60},        {"-", 60},
    {"||", 60},       {"*", 70},
    {"/", 70},        {"%", 70},
});

constexpr std::array kOperatorWords = std::to_array<std::string_view>(
    {"and", "or", "not", "is", "in", "between", "like", "union", "except", "intersect"});

// MISSING has neither. The others of PartiQL have a name that only refusals use.
constexpr std::array kPartiqlTypes = std::to_array<TypeName>({
    {"missing", std::nullopt, {}},
    {"null", AttributeType::kNull, {}},
    {"bool", AttributeType::kBoolean, {}},
    {"boolean", AttributeType::kBoolean, {}},
    {"string", AttributeType::kString, {}},
    {"numeric", AttributeType::kNumber, {}},
    {"blob", AttributeType::kBinary, {}},
    {"struct", AttributeType::kMap, {}},
    {"tuple", AttributeType::kMap, {}},
    {"list", AttributeType::kList, {}},
    {"smallint", std::nullopt, "SmallintType"},
    {"int2", std::nullopt, "SmallintType"},
    {"integer2", std::nullopt, "SmallintType"},
    {"int", std::nullopt, "IntegerType"},
    {"integer", std::nullopt, "IntegerType"},
    {"int4", std::nullopt, "Integer4Type"},
    {"integer4", std::nullopt, "Integer4Type"},
    {"int8", std::nullopt, "Integer8Type"},
    {"integer8", std::nullopt, "Integer8Type"},
    {"bigint", std::nullopt, "Integer8Type"},
    {"double_precision", std::nullopt, "DoublePrecisionType"},
    {"char", std::nullopt, "CharacterType"},
    {"character", std::nullopt, "CharacterType"},
    {"varchar", std::nullopt, "CharacterVaryingType"},
    {"character_varying", std::nullopt, "CharacterVaryingType"},
    {"float", std::nullopt, "FloatType"},
    {"real", std::nullopt, "RealType"},
    {"decimal", std::nullopt, "DecimalType"},
    {"timestamp", std::nullopt, "TimestampType"},
    {"date", std::nullopt, "DateType"},
    {"time", std::nullopt, "TimeType"},
    {"symbol", std::nullopt, "SymbolType"},
    {"clob", std::nullopt, "ClobType"},
    {"sexp", std::nullopt, "SexpType"},
    {"bag", std::nullopt, "BagType"},
    {"any", std::nullopt, "AnyType"},
});

struct MergedWord {
  std::string_view first;
  std::string_view second;
  std::string_view merged;
};

constexpr std::array kMergedWords = std::to_array<MergedWord>({
    {"not", "in", "not_in"},
    {"is", "not", "is_not"},
    {"not", "between", "not_between"},
    {"not", "like", "not_like"},
    {"intersect", "all", "intersect_all"},
    {"except", "all", "except_all"},
    {"union", "all", "union_all"},
    {"character", "varying", "character_varying"},
    {"double", "precision", "double_precision"},
    {"insert", "into", "insert_into"},
    {"on", "conflict", "on_conflict"},
    {"do", "nothing", "do_nothing"},
    {"modified", "old", "modified_old"},
    {"modified", "new", "modified_new"},
    {"all", "old", "all_old"},
    {"all", "new", "all_new"},
});

}  // namespace

std::string lower_case(std::string_view word) {
  std::string result(word);
  absl::AsciiStrToLower(&result);
  return result;
}

std::string_view find_keyword(std::string_view lower_case_word) {
  const auto found =
      std::lower_bound(kPartiqlKeywords.begin(), kPartiqlKeywords.end(), lower_case_word);
  return found != kPartiqlKeywords.end() && *found == lower_case_word ? *found : std::string_view();
}

std::string_view find_operator_word(std::string_view lower_case_word) {
  const auto found = std::find(kOperatorWords.begin(), kOperatorWords.end(), lower_case_word);
  return found != kOperatorWords.end() ? *found : std::string_view();
}

int infix_precedence(std::string_view operator_text) {
  for (const Operator& known : kOperators) {
    if (known.text == operator_text) return known.precedence;
  }
  return 0;
}

const TypeName* find_type_name(std::string_view lower_case_word) {
  const auto found =
      std::find_if(kPartiqlTypes.begin(), kPartiqlTypes.end(),
                   [=](const TypeName& type) { return type.word == lower_case_word; });
  return found != kPartiqlTypes.end() ? &*found : nullptr;
}

std::string_view find_merged_word(std::string_view first, std::string_view second) {
  for (const MergedWord& words : kMergedWords) {
    if (words.first == first && words.second == second) return words.merged;
  }
  return {};
}

}  // namespace magneto::expressions
