#include "expressions/syntax_tree.h"

#include <gtest/gtest.h>

#include "tests/support/literal_values.h"

namespace magneto::expressions {
namespace {

TEST(SyntaxTreeTest, KeepsOperandsInOrder) {
  SyntaxTree tree;
  const PathElement path[] = {PathElement::member("a"), PathElement::element(3)};
  const storage::AttributeValue value = testing::n("5");
  const NodeIndex left = tree.add_path(path);
  const NodeIndex right = tree.add_value(value);
  const NodeIndex operands[] = {left, right};
  const NodeIndex root = tree.add(NodeKind::kLess, operands);
  EXPECT_EQ(root, tree.root());
  const Node& node = tree.node(root);
  ASSERT_EQ(node.count, 2u);
  EXPECT_EQ(tree.operand(node, 0).kind, NodeKind::kPath);
  EXPECT_EQ(tree.path(tree.operand(node, 0)).back().index, 3u);
  EXPECT_EQ(tree.operand(node, 1).value(), value.view());
}

TEST(SyntaxTreeTest, NamesEachAttributeOnce) {
  SyntaxTree tree;
  const PathElement nested[] = {PathElement::member("b"), PathElement::member("x")};
  tree.add_path(nested);
  for (const char* name : {"a", "b", "a", "c"}) {
    const PathElement path[] = {PathElement::member(name)};
    tree.add_path(path);
  }
  EXPECT_EQ(tree.attributes(), (std::vector<std::string_view>{"b", "a", "c"}));
  EXPECT_EQ(tree.nested_attributes(), (std::vector<std::string_view>{"b"}));
}

// Legacy parameters make trees of any size.
TEST(SyntaxTreeTest, CollectsAttributesOfLargeTrees) {
  std::vector<std::string> names;
  for (int i = 0; i < 100'000; ++i) names.push_back("a" + std::to_string(i));
  SyntaxTree tree;
  for (int round = 0; round < 2; ++round) {
    for (const std::string& name : names) {
      const PathElement path = PathElement::member(name);
      tree.add_path({&path, 1});
    }
  }
  const std::vector<std::string_view> found = tree.attributes();
  ASSERT_EQ(found.size(), names.size());
  EXPECT_EQ(found.front(), "a0");
  EXPECT_EQ(found.back(), "a99999");
}

TEST(SyntaxTreeTest, HasATextForEveryOperator) {
  for (int kind = static_cast<int>(NodeKind::kSize); kind <= static_cast<int>(NodeKind::kNot);
       ++kind) {
    EXPECT_FALSE(operator_text(static_cast<NodeKind>(kind)).empty()) << kind;
  }
}

}  // namespace
}  // namespace magneto::expressions
