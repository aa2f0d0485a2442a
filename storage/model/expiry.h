#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// Later than the expiry of any item.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// When the item expires, by its attribute of that name, in seconds since the epoch: it has expired
// once the current second is greater. Any number counts (captured facts 2, "UpdateItem": TTL). A
// fraction is rounded up, so that the item expires up to a second late and never early. nullopt if
// the value is not a number, negative, or not below kNever.
std::optional<std::int64_t> expiry_of(ItemView item, std::string_view attribute);

}  // namespace magneto::storage
