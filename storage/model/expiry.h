#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// Later than any time an item expires at.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// When the item expires, by its attribute of that name, in seconds since the epoch. nullopt when
// that is not a whole, non-negative number below kNever: DynamoDB ignores other formats (AWS
// developer guide, "Using DynamoDB Time to Live", "Formatting an item's TTL attribute").
std::optional<std::int64_t> expiry_of(ItemView item, std::string_view attribute);

}  // namespace magneto::storage
