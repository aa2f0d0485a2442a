#include "storage/model/item_size.h"

#include <absl/container/inlined_vector.h>

#include <algorithm>

#include "storage/model/number.h"

namespace magneto::storage {

namespace {

constexpr std::size_t kDocumentOverhead = 3;
constexpr std::size_t kMemberOverhead = 1;

// The unread members of a list or map. Values are walked with a stack of these instead of
// recursion, because a value may be nested far deeper than DynamoDB allows before it is refused.
struct Members {
  std::string_view rest;
  bool is_map;
};
using Stack = absl::InlinedVector<Members, 8>;

Members members_of(AttributeView document) {
  return {document.bytes().substr(9), document.type() == AttributeType::kMap};
}

std::size_t set_size(AttributeView value) {
  std::size_t size = 0;
  const bool numbers = value.type() == AttributeType::kNumberSet;
  for (const std::string_view member : value.set()) {
    size += numbers ? number_size(member) : member.size();
  }
  return size;
}

// The size of a scalar or set.
std::size_t leaf_size(AttributeView value) {
  switch (value.type()) {
    case AttributeType::kString:
    case AttributeType::kBinary:
      return value.scalar_bytes().size();
    case AttributeType::kNumber:
      return number_size(value.scalar_bytes());
    case AttributeType::kBoolean:
    case AttributeType::kNull:
      return 1;
    default:
      return set_size(value);
  }
}

// The size of all values in `stack` with their names; `overhead` counts for each member.
std::size_t size_of_members(Stack stack, std::size_t overhead) {
  std::size_t size = 0;
  while (!stack.empty()) {
    Members& members = stack.back();
    if (members.rest.empty()) {
      stack.pop_back();
      continue;
    }
    size += stack.size() > 1 ? kMemberOverhead : overhead;
    if (members.is_map) size += take_bytes(members.rest).size();
    const AttributeView value = take_value(members.rest);
    if (is_document(value.type())) {
      size += kDocumentOverhead;
      stack.push_back(members_of(value));
    } else {
      size += leaf_size(value);
    }
  }
  return size;
}

}  // namespace

std::size_t value_size(AttributeView value) {
  if (!is_document(value.type())) return leaf_size(value);
  return kDocumentOverhead + size_of_members({members_of(value)}, kMemberOverhead);
}

std::size_t item_size(ItemView item) {
  if (item.bytes().empty()) return 0;
  return size_of_members({Members{item.bytes().substr(4), true}}, 0);
}

std::size_t nesting_levels(AttributeView value) {
  if (!is_document(value.type())) return 1;
  std::size_t deepest = 1;
  Stack stack{members_of(value)};
  while (!stack.empty()) {
    Members& members = stack.back();
    if (members.rest.empty()) {
      stack.pop_back();
      continue;
    }
    deepest = std::max(deepest, stack.size() + 1);
    if (members.is_map) take_bytes(members.rest);
    const AttributeView member = take_value(members.rest);
    if (is_document(member.type())) stack.push_back(members_of(member));
  }
  return deepest;
}

}  // namespace magneto::storage
