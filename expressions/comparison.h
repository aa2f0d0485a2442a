#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

// Comparisons of values in conditions. Each takes linear time in the bytes of both values, and
// counts the bytes that it examines. Strings and binary values order by bytes, numbers by value.
namespace magneto::expressions {

// Strings and binary values order by bytes, numbers by value.
bool is_ordered(storage::AttributeType type);

bool equals(storage::AttributeView a, storage::AttributeView b, storage::Effort& effort);

// nullopt if either value is absent, the types differ or the type has no order.
std::optional<std::strong_ordering> compare(storage::AttributeView a, storage::AttributeView b,
                                            storage::Effort& effort);

// True if both are strings or both are binary, and the first starts with the second.
bool begins_with(storage::AttributeView value, storage::AttributeView prefix,
                 storage::Effort& effort);

// Whether `part` is a substring of a string or binary value, a member of a set, or an element of a
// list.
bool contains(storage::AttributeView value, storage::AttributeView part, storage::Effort& effort);

// The result of size(). Strings: UTF-16 code units (captured facts, "size() of a string"); binary:
// bytes; sets, lists and maps: members. nullopt for other types and an absent value.
std::optional<std::uint32_t> size_of(storage::AttributeView value, storage::Effort& effort);

}  // namespace magneto::expressions
