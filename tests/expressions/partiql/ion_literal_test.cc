#include "expressions/partiql/ion_literal.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace magneto::expressions {
namespace {

// Captured facts 3, P15; Amazon Ion specification, "Text encoding".
TEST(IonLiteralTest, KnowsTheKindOfAValue) {
  using Named = std::pair<const char*, const char*>;
  for (const auto& [text, kind] : {
           Named{"1", "INT"},
           {"-12_000", "INT"},
           {"0xFF", "INT"},
           {"0b10", "INT"},
           {"1.5", "DECIMAL"},
           {"1d3", "DECIMAL"},
           {"0.", "DECIMAL"},
           {"1e3", "FLOAT"},
           {"nan", "FLOAT"},
           {"+inf", "FLOAT"},
           {"\"a`b\"", "STRING"},
           {"'''a''' '''b'''", "STRING"},
           {"a", "SYMBOL"},
           {"'a b'", "SYMBOL"},
           {"$1", "SYMBOL"},
           {"{}", "STRUCT"},
           {"{a: 1, 'b': [], \"c\": {}}", "STRUCT"},
           {"[]", "LIST"},
           {"[1, a, [2]]", "LIST"},
           {"(+ 1 (a))", "SEXP"},
           {"2007T", "TIMESTAMP"},
           {"2007-02T", "TIMESTAMP"},
           {"2007-02-23", "TIMESTAMP"},
           {"2007-02-23T12:14Z", "TIMESTAMP"},
           {"2007-02-23T12:14:33.079-08:00", "TIMESTAMP"},
           {"null", "NULL"},
           {"null.int", "INT"},
           {"true", "BOOL"},
           {"false", "BOOL"},
           {"{{aGk=}}", "BLOB"},
           {"{{\"hi\"}}", "CLOB"},
           {" /* note */ x::'y'::5 // end\n", "INT"},
       }) {
    const std::string literal = '`' + std::string(text) + '`';
    const IonLiteral read = read_ion_literal(literal + "`rest");
    EXPECT_EQ(read.kind, kind) << text;
    EXPECT_EQ(read.size, literal.size()) << text;
  }
}

TEST(IonLiteralTest, RefusesWhatIsNoValue) {
  for (const char* text :
       {"`1", "``", "`", "` `", "`1 2`", "`{a}`", "`[1 2]`", "`(1, 2)`", "`{{`", "`\"a`", "`01`",
        "`1.5.2`", "`2007-02`", "`null.foo`", "`}`", "`a::`", "`{{\"a}}`"}) {
    EXPECT_EQ(read_ion_literal(text).size, 0U) << text;
  }
  EXPECT_EQ(read_ion_literal('`' + std::string(8'000, '[') + '`').size, 0U);
}

// Also where it ends inside an escape.
TEST(IonLiteralTest, RefusesEveryBeginningOfAValue) {
  for (const std::string_view text :
       {R"(`"a\"b\\"`)", R"(`'a\'b'`)", R"(`'a'::1`)", R"(`'''a\'b''' '''c'''`)",
        R"(`{'a\'': {{"\""}}}`)", R"(`/* a */ [1, 2007-02-23T12:14:33.079-08:00]`)",
        R"(`(a + {{YQ==}})`)"}) {
    EXPECT_EQ(read_ion_literal(text).size, text.size()) << text;
    for (std::size_t size = 1; size < text.size(); ++size) {
      EXPECT_EQ(read_ion_literal(text.substr(0, size)).size, 0U) << text.substr(0, size);
    }
  }
  for (const std::string_view text :
       {R"(`'\)", R"(`"\)", R"(`'''\)", R"(`{{"\)", R"(`'a\)", R"(`{'\)"}) {
    EXPECT_EQ(read_ion_literal(text).size, 0U) << text;
  }
}

}  // namespace
}  // namespace magneto::expressions
