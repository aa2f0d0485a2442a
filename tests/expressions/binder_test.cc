#include "expressions/binder.h"

#include "tests/expressions/expression_request.h"

namespace magneto::expressions {
namespace {

TEST(BinderTest, PutsNamesAndValuesInPlace) {
  ExpressionRequest request({{"#a", "x.y"}, {"#b", "#a"}}, {{":v", testing::n("3")}});
  SyntaxTree tree;
  const PathElement path[] = {PathElement::placeholder("#a"), PathElement::element(1),
                              PathElement::placeholder("#b"), PathElement::member("c")};
  const Node& node = tree.node(tree.add_path(path));
  bind_path(tree, node, request.placeholders());
  EXPECT_EQ(tree.path(node)[0], PathElement::member("x.y"));
  EXPECT_EQ(tree.path(node)[1], PathElement::element(1));
  EXPECT_EQ(tree.path(node)[2], PathElement::member("#a"));
  EXPECT_EQ(tree.path(node)[3], PathElement::member("c"));
  const NodeIndex value = tree.add_placeholder(":v");
  bind_value(tree, value, request.placeholders());
  EXPECT_EQ(testing::show(tree.node(value).value()), "3");
}

TEST(BinderTest, RefusesTheUndefined) {
  ExpressionRequest request;
  SyntaxTree tree;
  const PathElement path[] = {PathElement::placeholder("#a")};
  const NodeIndex node = tree.add_path(path);
  const NodeIndex value = tree.add_placeholder(":v");
  EXPECT_EQ(request.message_of([&] { bind_path(tree, tree.node(node), request.placeholders()); }),
            "An expression attribute name used in the document path is not defined; attribute "
            "name: #a");
  EXPECT_EQ(request.message_of([&] { bind_value(tree, value, request.placeholders()); }),
            "An expression attribute value used in expression is not defined; attribute value: :v");
}

}  // namespace
}  // namespace magneto::expressions
