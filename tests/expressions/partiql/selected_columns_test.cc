#include "expressions/partiql/selected_columns.h"

#include <gtest/gtest.h>

#include "tests/expressions/partiql/statement_request.h"

namespace magneto::expressions {
namespace {

using namespace magneto::testing;

// Captured facts, "RETURNING shapes pinned": a nested path appears under its leaf name.
TEST(SelectedColumnsTest, NamesColumnsByTheirLastName) {
  const storage::Item whole =
      item({{"m", map({{"k", list({n("1"), s("two")})}, {"z", s("last")}})}, {"pk", s("a")}});
  const auto selected = [&whole](const std::string& columns) {
    const StatementRequest request("SELECT " + columns + " FROM t");
    return show(request->columns()->apply(whole).view());
  };
  EXPECT_EQ(selected("pk, m.z, m.k[1]"), R"({k[1]: "two", pk: "a", z: "last"})");
  EXPECT_EQ(selected("absent, m.none, m.k[7], pk.x"), "{}");
  EXPECT_EQ(selected("\"m.z\""), "{}");
  EXPECT_EQ(selected("m"), R"({m: {k: [1, "two"], z: "last"}})");
}

TEST(SelectedColumnsTest, KnowsItsAttributes) {
  const StatementRequest request("SELECT b.x, a, b.y[0] FROM t");
  EXPECT_EQ(request->columns()->attributes(), (std::vector<std::string_view>{"b", "a"}));
  EXPECT_EQ(StatementRequest("SELECT * FROM t")->columns(), nullptr);
}

TEST(SelectedColumnsTest, RefusesWhatIsNoPath) {
  EXPECT_EQ(StatementRequest::refusal("SELECT a, b.a FROM t"), "Two columns have the name a");
  EXPECT_EQ(StatementRequest::refusal("SELECT attribute_exists(ss) FROM t"),
            "Unexpected path component at 1:8:16");
  EXPECT_EQ(StatementRequest::refusal("SELECT COUNT(*) FROM t"),
            "Unexpected path component at 1:8:5");
  EXPECT_EQ(StatementRequest::refusal("SELECT 1 FROM t"), "Unexpected path component at 1:8:1");
  EXPECT_EQ(StatementRequest::refusal("SELECT a.* FROM t"), "Unexpected path component at 1:10:1");
  EXPECT_EQ(StatementRequest::refusal("SELECT a.*.b FROM t"),
            "Unexpected path component at 1:10:1");
}

}  // namespace
}  // namespace magneto::expressions
