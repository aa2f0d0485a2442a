#include "storage/engine/commit_sequence.h"

#include <gtest/gtest.h>

namespace magneto::storage {
namespace {

TEST(CommitSequenceTest, NumbersAscendAndFollowTheTime) {
  CommitSequence sequence;
  EXPECT_EQ(sequence.draw(1), 1U);
  EXPECT_EQ(sequence.draw(3), 2U);
  EXPECT_EQ(sequence.draw(1), 5U);
  EXPECT_EQ(sequence.next(100), 100U);
  EXPECT_EQ(sequence.draw(2, 100), 100U);
  EXPECT_EQ(sequence.draw(1, 50), 102U);
  sequence.raise(10);
  EXPECT_EQ(sequence.last(), 102U);
  sequence.raise(200);
  EXPECT_EQ(sequence.draw(1), 201U);
}

TEST(CommitSequenceTest, NothingIsVisibleBeyondTheFirstThatIsUnderWay) {
  CommitSequence sequence;
  EXPECT_EQ(sequence.visible_end(), 1U);
  const std::uint64_t a = sequence.draw(2);
  const std::uint64_t b = sequence.draw(1);
  const std::uint64_t c = sequence.draw(1);
  EXPECT_EQ(sequence.visible_end(), a);
  sequence.finish(b);
  EXPECT_EQ(sequence.visible_end(), a);
  sequence.finish(a);
  EXPECT_EQ(sequence.visible_end(), c);
  sequence.finish(c);
  EXPECT_EQ(sequence.visible_end(), 5U);
}

}  // namespace
}  // namespace magneto::storage
