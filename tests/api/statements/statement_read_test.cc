#include "api/statements/statement_read.h"

#include <gtest/gtest.h>

#include <set>

#include "api/error.h"
#include "tests/api/test_service.h"
#include "tests/support/literal_values.h"
#include "tests/support/random_values.h"

namespace magneto::api {
namespace {

using namespace magneto::testing;

// Random WHERE clauses on the key and one other attribute, answered from the plan and by holding
// every item against the clause.
class StatementReadTest : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  StatementReadTest() {
    service_.create_table("tab", true);
    for (char pk = 'a'; pk < 'e'; ++pk) {
      for (char sk = '1'; sk < '7'; ++sk) {
        const std::string key = R"("pk":{"S":")" + std::string(1, pk) + R"("},"sk":{"S":")" +
                                std::string(1, sk) + R"("})";
        const std::string x = std::to_string(random_.below(3));
        service_.succeed("PutItem",
                         R"({"TableName":"tab","Item":{)" + key + R"(,"x":{"N":")" + x + R"("}}})");
        items_.push_back(
            item({{"pk", s(std::string(1, pk))}, {"sk", s(std::string(1, sk))}, {"x", n(x)}}));
      }
    }
  }

  std::string letter() {
    return std::string("'") + static_cast<char>('a' + random_.below(5)) + "'";
  }
  std::string digit() { return std::string("'") + static_cast<char>('0' + random_.below(8)) + "'"; }

  std::string comparison() {
    static constexpr const char* kOperators[] = {" = ", " < ", " <= ", " > ", " >= ", " <> "};
    switch (random_.below(8)) {
      case 0:
      case 1:
        return "pk = " + letter();
      case 2:
        return "pk IN [" + letter() + ", " + letter() + "]";
      case 3:
        return "sk IN [" + digit() + ", " + digit() + "]";
      case 4:
        return "sk BETWEEN " + digit() + " AND '7'";
      case 5:
        return "begins_with(sk, " + digit() + ")";
      case 6:
        return "x = " + std::to_string(random_.below(3));
      default:
        return "sk" + std::string(kOperators[random_.below(6)]) + digit();
    }
  }

  std::string condition(int depth) {
    if (depth == 0 || random_.one_in(4)) return comparison();
    switch (random_.below(8)) {
      case 0:
        return "NOT (" + condition(depth - 1) + ")";
      case 1:
      case 2:
      case 3:
        return "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
      default:
        return "(" + condition(depth - 1) + " AND " + condition(depth - 1) + ")";
    }
  }

  // All items a statement selects, page by page; nullopt when it is refused. An item that comes
  // twice is a failure.
  std::optional<std::set<std::string>> selected(const std::string& text) {
    expressions::Statement statement = expressions::Statement::parse(text);
    statement.bind({});
    std::set<std::string> found;
    const auto add = [&](storage::ItemView item) {
      EXPECT_TRUE(found.insert(show(item)).second) << text << ": twice " << show(item);
    };
    try {
      std::optional<StatementStart> start;
      do {
        StatementRead read(service_.database(), {service_.database().find_table("tab")}, statement,
                           false);
        const auto limit = static_cast<std::int64_t>(1 + random_.below(5));
        storage::Effort effort;
        auto outcome = read.read(start ? &*start : nullptr, limit, effort, add);
        start = std::move(outcome.next);
      } while (start);
    } catch (const ApiError& error) {
      const std::string_view message = error.message();
      EXPECT_TRUE(message.starts_with("Overlapping conditions") ||
                  message.starts_with("The WHERE clause comes to more than 50"))
          << text << ": " << message;
      return std::nullopt;
    }
    return found;
  }

  std::set<std::string> matching(const std::string& text) const {
    expressions::Statement statement = expressions::Statement::parse(text);
    statement.bind({});
    std::set<std::string> found;
    for (const storage::Item& item : items_) {
      if (statement.condition()->matches(item)) found.insert(show(item.view()));
    }
    return found;
  }

  RandomValues random_{GetParam()};
  TestService service_;
  std::vector<storage::Item> items_;
};

TEST_P(StatementReadTest, PlansSelectWhatTheClauseSelects) {
  int answered = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string text = "SELECT * FROM tab WHERE " + condition(4);
    const auto found = selected(text);
    if (!found) continue;
    ++answered;
    EXPECT_EQ(*found, matching(text)) << text;
  }
  EXPECT_GT(answered, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StatementReadTest, ::testing::Range<std::uint64_t>(1, 6));

}  // namespace
}  // namespace magneto::api
