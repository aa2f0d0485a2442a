#include "storage/model/document_path.h"

#include <gtest/gtest.h>

#include "storage/model/value_writer.h"

namespace magneto::storage {
namespace {

// {"a": {"M": {"b": {"L": [1, 2, {"M": {"c": "leaf"}}]}}}, "s": "text"}
Item sample() {
  std::string bytes;
  ValueWriter writer(bytes);
  writer.begin_item();
  writer.name("a");
  writer.begin_map();
  writer.name("b");
  writer.begin_list();
  writer.number(Number::from_integer(1));
  writer.number(Number::from_integer(2));
  writer.begin_map();
  writer.name("c");
  writer.string("leaf");
  writer.end_map();
  writer.end_list();
  writer.end_map();
  writer.name("s");
  writer.string("text");
  writer.end_item();
  return Item(std::move(bytes));
}

AttributeView at(const Item& item, std::vector<PathStep> steps) {
  return find(item, DocumentPath{std::move(steps)});
}

TEST(DocumentPath, FindsNestedValues) {
  const Item item = sample();
  const auto member = [](std::string name) { return PathStep::member(std::move(name)); };
  const auto element = [](std::uint32_t index) { return PathStep::element(index); };
  EXPECT_EQ(at(item, {member("s")}).scalar_bytes(), "text");
  EXPECT_EQ(at(item, {member("a"), member("b"), element(1)}).number().to_integer(), 2);
  EXPECT_EQ(at(item, {member("a"), member("b"), element(2), member("c")}).scalar_bytes(), "leaf");
  EXPECT_FALSE(at(item, {member("x")}));
  EXPECT_FALSE(at(item, {member("x"), member("y")}));
  EXPECT_FALSE(at(item, {member("a"), member("b"), element(3)}));
  EXPECT_FALSE(at(item, {member("a"), element(0)}));
  EXPECT_FALSE(at(item, {member("a"), member("b"), member("c")}));
  EXPECT_FALSE(at(item, {member("s"), member("t")}));
  EXPECT_FALSE(at(item, {member("s"), element(0)}));
}

TEST(DocumentPath, KnowsItsAttribute) {
  const DocumentPath path{{PathStep::member("a"), PathStep::element(1)}};
  EXPECT_EQ(path.attribute(), "a");
  EXPECT_FALSE(path.is_top_level());
  EXPECT_TRUE(DocumentPath{{PathStep::member("a")}}.is_top_level());
  EXPECT_NE(path, (DocumentPath{{PathStep::member("a"), PathStep::element(2)}}));
}

}  // namespace
}  // namespace magneto::storage
