#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// Strings and binary values order by bytes, numbers by value.
bool is_ordered(storage::AttributeType type);

// nullopt when either is absent, the types differ or the type has no order.
std::optional<std::strong_ordering> compare(storage::AttributeView a, storage::AttributeView b);

// Both strings or both binary, the first starting with the second.
bool begins_with(storage::AttributeView value, storage::AttributeView prefix);

// A substring of a string or binary value, a member of a set, or an element of a list.
bool contains(storage::AttributeView value, storage::AttributeView part);

// Strings: UTF-16 code units (captured facts, "size() of a string"); binary: bytes; sets, lists and
// maps: members. nullopt for the other types and an absent value.
std::optional<std::uint32_t> size_of(storage::AttributeView value);

}  // namespace magneto::expressions
