#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "expressions/update.h"
#include "storage/model/attribute_value.h"

namespace magneto::expressions {

enum class LegacyAction : std::uint8_t { kPut, kAdd, kDelete };

// One entry of AttributeUpdates (AWS developer guide, "Legacy conditional parameters"). Views into
// the request.
struct LegacyAttributeUpdate {
  std::string_view attribute;
  LegacyAction action = LegacyAction::kPut;
  // kPut: the value to store. kAdd: a number, a set, or a list whose elements are appended.
  // kDelete: a set of members to remove; if absent, the whole attribute is removed.
  storage::AttributeView value;
};

// An update that makes all these changes; the attributes must be distinct.
Update legacy_update(std::span<const LegacyAttributeUpdate> updates);

}  // namespace magneto::expressions
