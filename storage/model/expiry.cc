#include "storage/model/expiry.h"

namespace magneto::storage {

std::optional<std::int64_t> expiry_of(ItemView item, std::string_view attribute) {
  const AttributeView value = item.find(attribute);
  if (!value || value.type() != AttributeType::kNumber) return std::nullopt;
  const std::optional<std::int64_t> seconds = value.number().rounded_up();
  return seconds && *seconds >= 0 && *seconds < kNever ? seconds : std::nullopt;
}

}  // namespace magneto::storage
