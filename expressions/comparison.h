#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "storage/model/attribute_value.h"
#include "storage/model/effort.h"

// What conditions ask of values. Each is linear in the bytes of both, and counts what it looks at.
namespace magneto::expressions {

// Strings and binary values order by bytes, numbers by value.
bool is_ordered(storage::AttributeType type);

bool equals(storage::AttributeView a, storage::AttributeView b, storage::Effort& effort);

// nullopt when either is absent, the types differ or the type has no order.
std::optional<std::strong_ordering> compare(storage::AttributeView a, storage::AttributeView b,
                                            storage::Effort& effort);

// Both strings or both binary, the first starting with the second.
bool begins_with(storage::AttributeView value, storage::AttributeView prefix,
                 storage::Effort& effort);

// A substring of a string or binary value, a member of a set, or an element of a list.
bool contains(storage::AttributeView value, storage::AttributeView part, storage::Effort& effort);

// Strings: UTF-16 code units (captured facts, "size() of a string"); binary: bytes; sets, lists and
// maps: members. nullopt for the other types and an absent value.
std::optional<std::uint32_t> size_of(storage::AttributeView value, storage::Effort& effort);

}  // namespace magneto::expressions
