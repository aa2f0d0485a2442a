#include "api/statements/statement_token.h"

#include <gtest/gtest.h>

#include "api/error.h"
#include "tests/support/literal_values.h"

namespace magneto::api {
namespace {

using namespace magneto::testing;

StatementStart start() { return {3, item({{"pk", s("a")}, {"sk", n("7")}})}; }

std::string refusal(const std::string& token, std::uint64_t fingerprint) {
  try {
    decode_statement_token(token, fingerprint);
  } catch (const ApiError& error) {
    EXPECT_EQ(error.type(), ErrorType::kValidation);
    return error.message();
  }
  return {};
}

TEST(StatementToken, ComesBackAsItWas) {
  const std::string token = encode_statement_token(42, start());
  const StatementStart decoded = decode_statement_token(token, 42);
  EXPECT_EQ(decoded.read, 3U);
  EXPECT_EQ(show(decoded.last.view()), show(start().last.view()));
}

TEST(StatementToken, MayStandAtTheBeginningOfARead) {
  const StatementStart decoded =
      decode_statement_token(encode_statement_token(42, {10, storage::Item()}), 42);
  EXPECT_EQ(decoded.read, 10U);
  EXPECT_TRUE(decoded.last.bytes().empty());
}

TEST(StatementToken, BelongsToOneStatement) {
  EXPECT_EQ(refusal(encode_statement_token(42, start()), 43), "NextToken does not match request");
}

// A changed token is refused, wherever the change is, before any part of it is used.
TEST(StatementToken, IsCheckedByteByByte) {
  const std::string token = encode_statement_token(42, start());
  for (std::size_t size = 0; size < token.size(); ++size) {
    EXPECT_EQ(refusal(token.substr(0, size), 42), "Invalid NextToken") << size;
  }
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(refusal(changed, 42), "Invalid NextToken") << i;
  }
  EXPECT_EQ(refusal("not base64!", 42), "Invalid NextToken");
}

}  // namespace
}  // namespace magneto::api
