#include "server/http/step_credit.h"

#include <gtest/gtest.h>

namespace magneto::server::http {
namespace {

TEST(StepCredit, LetsOneCallDoMuchButNotManyInARow) {
  StepCredit credit;
  EXPECT_EQ(credit.limit(), kStepsOfAShortCall);
  credit.note(kStepsOfAShortCall + 1'000);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(credit.limit(), StepCredit::kAlways);
    credit.note(StepCredit::kAlways);
  }
  for (int i = 0; i < 100; ++i) credit.note(100);
  EXPECT_EQ(credit.limit(), kStepsOfAShortCall);
}

TEST(StepCredit, IsNotUsedUpByCheapCalls) {
  StepCredit credit;
  for (int i = 0; i < 1'000; ++i) credit.note(StepCredit::kGainedByACall);
  EXPECT_EQ(credit.limit(), kStepsOfAShortCall);
}

}  // namespace
}  // namespace magneto::server::http
