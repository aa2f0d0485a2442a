#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "storage/model/attribute_value.h"

namespace magneto::storage {

// Later than any time an item expires at.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// When the item expires, by its attribute of that name, in seconds since the epoch: as soon as the
// present second is greater. Any number counts (captured facts 2, "UpdateItem": TTL), also one with a
// fraction, which is rounded up, so that the item goes a second late and never early.
// nullopt when it is no number, or a negative one, or not below kNever.
std::optional<std::int64_t> expiry_of(ItemView item, std::string_view attribute);

}  // namespace magneto::storage
