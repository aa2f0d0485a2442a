#include "expressions/reserved_words.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::expressions {
namespace {

TEST(ReservedWordsTest, KnowsWordsInAnyCase) {
  for (const char* word : {"ABORT", "zone", "Name", "sTaTuS", "localtimestamp", "TTL", "Users",
                           "hidden", "inner", "INNTER", "flattern", "loged", "A"}) {
    EXPECT_EQ(is_reserved_word(word), std::string(word) != "A") << word;
  }
}

TEST(ReservedWordsTest, LeavesOtherNamesAlone) {
  for (const char* word :
       {"", "pk", "names_", "abor", "aborted", "zonee", "_", "localtimestamps", "Name1", "na me",
        "a_much_longer_attribute_name_than_any_reserved_word", "N\xC3\x84ME"}) {
    EXPECT_FALSE(is_reserved_word(word)) << word;
  }
}

}  // namespace
}  // namespace magneto::expressions
