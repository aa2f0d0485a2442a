#include "api/reads/start_key.h"

#include <gtest/gtest.h>

namespace magneto::api {
namespace {

using storage::Direction;
using storage::KeyRange;

TEST(StartKey, ContinuesBehindTheKey) {
  KeyRange range{"b", "f"};
  continue_after(range, "c", Direction::kForward);
  EXPECT_EQ(range.lower, std::string("c\0", 2));
  EXPECT_EQ(range.upper, "f");
}

TEST(StartKey, ContinuesBeforeTheKeyWhenWalkingBackwards) {
  KeyRange range{"b", "f"};
  continue_after(range, "c", Direction::kBackward);
  EXPECT_EQ(range.lower, "b");
  EXPECT_EQ(range.upper, "c");
}

TEST(StartKey, NeverWidensTheRange) {
  KeyRange forward{"b", "f"};
  continue_after(forward, "a", Direction::kForward);
  EXPECT_EQ(forward.lower, "b");
  KeyRange backward{"b", "f"};
  continue_after(backward, "g", Direction::kBackward);
  EXPECT_EQ(backward.upper, "f");
}

}  // namespace
}  // namespace magneto::api
