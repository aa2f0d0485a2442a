#include "api/operation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "api/operation_table.h"

namespace magneto::api {
namespace {

#define MAGNETO_ADDRESS(operation) &k##operation,
const auto kOperations = std::to_array<const Operation*>({MAGNETO_OPERATIONS(MAGNETO_ADDRESS)});
#undef MAGNETO_ADDRESS

const MemberShape* find(const Shape& shape, std::string_view member) {
  const auto found = std::ranges::find(shape.members, member, &MemberShape::name);
  return found == shape.members.end() ? nullptr : &*found;
}

// A path of at most two members.
bool has(const Shape& shape, std::string_view path) {
  const std::size_t dot = path.find('.');
  const MemberShape* const member = find(shape, path.substr(0, dot));
  if (member == nullptr || dot == std::string_view::npos) return member != nullptr;
  return find(*member->shape, path.substr(dot + 1)) != nullptr;
}

// Members that do not name a resource of a permission: the start of a page, a Kinesis stream, a
// table that is only a source.
bool names_no_resource(const Operation& operation, std::string_view member) {
  return member.starts_with("Exclusive") || member == "GlobalTableSourceArn" ||
         (member == "StreamArn" && operation.name.ends_with("KinesisStreamingDestination"));
}

TEST(OperationTest, WhatNamesAResourceIsAMember) {
  for (const Operation* const operation : kOperations) {
    for (const std::string_view member :
         {operation->resource, operation->other_resource, operation->target}) {
      if (operation->form != RequestForm::kResource || member.empty()) continue;
      EXPECT_TRUE(has(operation->input, member)) << operation->name << ": " << member;
    }
  }
}

// So that policies, fault rules and the journal overlook no resource of a new operation.
TEST(OperationTest, NoMemberThatLooksLikeAResourceIsForgotten) {
  std::size_t found = 0;
  for (const Operation* const operation : kOperations) {
    if (operation->form != RequestForm::kResource) continue;
    for (const MemberShape& member : operation->input.members) {
      const bool may_name = member.name.ends_with("Arn") || member.name.ends_with("TableName") ||
                            member.name == "ShardIterator";
      if (!may_name || names_no_resource(*operation, member.name)) continue;
      ++found;
      EXPECT_TRUE(member.name == operation->resource || member.name == operation->other_resource ||
                  member.name == operation->target)
          << operation->name << ": " << member.name;
    }
  }
  EXPECT_GT(found, 40U);
}

TEST(OperationTest, AListIsOfTheWholeAccount) {
  for (const Operation* const operation : kOperations) {
    if (!operation->lists) continue;
    EXPECT_TRUE(operation->name.starts_with("List")) << operation->name;
    EXPECT_NE(operation->name, "ListTagsOfResource");
  }
}

}  // namespace
}  // namespace magneto::api
