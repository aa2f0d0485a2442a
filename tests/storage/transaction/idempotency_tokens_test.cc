#include "storage/transaction/idempotency_tokens.h"

#include <gtest/gtest.h>

#include "storage/encoding/keyspace.h"
#include "tests/support/engines.h"

namespace magneto::storage {
namespace {

using State = IdempotencyTokens::State;

class IdempotencyTokensTest : public EngineTest {
 protected:
  // Carries an empty transaction out under the token.
  void carry_out(IdempotencyTokens& tokens, std::string_view token, std::uint64_t digest) {
    ASSERT_EQ(tokens.begin(token, digest).state, State::kNew);
    WriteBatch batch;
    tokens.append_record(batch, token, digest, "receipt");
    if (!batch.empty()) engine_->commit(batch);
    tokens.finish(token, "receipt");
  }

  Clock clock_;
};

TEST_P(IdempotencyTokensTest, TellRepeatsMismatchesAndProgressApart) {
  IdempotencyTokens tokens(*engine_, clock_);
  tokens.load();
  EXPECT_EQ(tokens.begin("t", 1).state, State::kNew);
  EXPECT_EQ(tokens.begin("t", 1).state, State::kInProgress);
  EXPECT_EQ(tokens.begin("t", 2).state, State::kMismatch);
  tokens.abandon("t");
  carry_out(tokens, "t", 1);
  EXPECT_EQ(tokens.begin("t", 1).state, State::kRepeated);
  EXPECT_EQ(tokens.begin("t", 1).receipt, "receipt");
  EXPECT_EQ(tokens.begin("t", 2).state, State::kMismatch);
  EXPECT_EQ(tokens.begin("other", 2).state, State::kNew);
}

TEST_P(IdempotencyTokensTest, AreForgottenAfterTenMinutes) {
  IdempotencyTokens tokens(*engine_, clock_);
  tokens.load();
  carry_out(tokens, "t", 1);
  clock_.advance(kTokenLifetime - std::chrono::seconds(5));
  EXPECT_EQ(tokens.begin("t", 1).state, State::kRepeated);
  clock_.advance(std::chrono::seconds(6));
  carry_out(tokens, "t", 2);
  EXPECT_EQ(tokens.begin("t", 2).state, State::kRepeated);
}

TEST_P(IdempotencyTokensTest, SurviveARestartAndLeaveNoRecordsBehind) {
  if (!engine_->is_durable()) {
    IdempotencyTokens tokens(*engine_, clock_);
    WriteBatch batch;
    tokens.append_record(batch, "t", 1, "receipt");
    EXPECT_TRUE(batch.empty());
    return;
  }
  {
    IdempotencyTokens tokens(*engine_, clock_);
    tokens.load();
    carry_out(tokens, "first", 1);
  }
  reopen();
  IdempotencyTokens tokens(*engine_, clock_);
  tokens.load();
  const auto answer = tokens.begin("first", 1);
  EXPECT_EQ(answer.state, State::kRepeated);
  EXPECT_EQ(answer.receipt, "receipt");

  clock_.advance(kTokenLifetime + std::chrono::seconds(1));
  carry_out(tokens, "second", 1);
  const TreePtr tree = engine_->open_tree(Family::kSystem, std::string(kTokenPrefix));
  EXPECT_FALSE(engine_->get(*tree, token_record_key("first")));
  EXPECT_TRUE(engine_->get(*tree, token_record_key("second")));
}

INSTANTIATE_TEST_SUITE_P(Engines, IdempotencyTokensTest, kEngineKinds, engine_kind_name);

TEST_P(IdempotencyTokensTest, DamagedRecordsAreRefused) {
  const TreePtr tree = engine_->open_tree(Family::kSystem, std::string(kTokenPrefix));
  const auto load = [&](std::uint64_t expiry, std::size_t size) {
    std::string record;
    append_uint64(record, 1);
    append_uint64(record, expiry);
    WriteBatch batch;
    batch.put(tree, token_record_key("t"), record.substr(0, size));
    engine_->commit(batch);
    IdempotencyTokens(*engine_, clock_).load();
  };
  EXPECT_NO_THROW(load(1'790'000'000'000, 16));
  EXPECT_THROW(load(1'790'000'000'000, 15), EngineError);
  // Past what a point in time can hold.
  EXPECT_THROW(load(std::uint64_t{1} << 62, 16), EngineError);
  EXPECT_THROW(load(~std::uint64_t{0}, 16), EngineError);
}

}  // namespace
}  // namespace magneto::storage
