#pragma once

#include <cstdint>
#include <list>
#include <string_view>
#include <vector>

#include "api/json/error_dialect.h"
#include "api/json/json_reader.h"
#include "expressions/legacy/legacy_condition.h"
#include "storage/model/attribute_value.h"

// Reads and checks the entries of the parameters that expressions replaced: Expected, QueryFilter,
// ScanFilter, KeyConditions (AWS developer guide, "Legacy conditional parameters").
namespace magneto::api {

// The values in a request's legacy parameters. Views into them stay valid.
using LegacyValues = std::list<storage::AttributeValue>;

// Throws a ValidationException in the form of `dialect`.
[[noreturn]] void fail_in_dialect(const json::ErrorDialect& dialect, std::string_view message);

// Throws such an exception for an invalid attribute name.
void check_attribute_name(const json::ErrorDialect& dialect, std::string_view name);

// The members of a map, each name once with the last value sent for it, in the order of first
// appearance.
std::vector<json::Member> distinct_members(json::Object map);

// QueryFilter and ScanFilter, or KeyConditions.
enum class LegacyUse : std::uint8_t { kFilters, kKeys };

// The entries of such a parameter. Throws ValidationException for an unknown operator, invalid
// values, and a number or type of values that the operator does not accept. Of a key's values, only
// those of BETWEEN and IN are checked for their types; the others follow in check_operand_type().
std::vector<expressions::LegacyComparison> read_conditions(json::Object map, LegacyUse use,
                                                           const json::ErrorDialect& dialect,
                                                           LegacyValues& values);

// Throws ValidationException if the operator does not accept the type of the values.
void check_operand_type(const expressions::LegacyComparison& comparison,
                        const json::ErrorDialect& dialect);

// The entries of Expected, which have their own rules on Value, Exists and AttributeValueList
// (captured facts, "DeleteItem": Expected errors).
std::vector<expressions::LegacyComparison> read_expected(json::Object map,
                                                         const json::ErrorDialect& dialect,
                                                         LegacyValues& values);

}  // namespace magneto::api
