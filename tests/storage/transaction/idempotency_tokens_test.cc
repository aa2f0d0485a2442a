#include "storage/transaction/idempotency_tokens.h"

#include <gtest/gtest.h>

#include "storage/encoding/keyspace.h"
#include "tests/support/engines.h"

namespace magneto::storage {
namespace {

using State = IdempotencyTokens::State;

constexpr std::size_t kMemory = 1 << 20;

std::uint64_t no_hash() {
  ADD_FAILURE() << "only tokens of format 2 need the hash";
  return 0;
}

std::uint64_t milliseconds(Clock::TimePoint time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

class IdempotencyTokensTest : public EngineTest {
 protected:
  static IdempotencyTokens::Answer begin(IdempotencyTokens& tokens, std::string_view token,
                                         std::string_view content) {
    return tokens.begin(digest_of(token), {digest_of(content), no_hash});
  }
  // Carries an empty transaction out under the token.
  void carry_out(IdempotencyTokens& tokens, std::string_view token, std::string_view content,
                 std::string_view receipt = "receipt") {
    ASSERT_EQ(begin(tokens, token, content).state, State::kNew);
    WriteBatch batch;
    tokens.append_record(batch, digest_of(token), receipt);
    if (!batch.empty()) engine_->commit(batch);
    tokens.finish(digest_of(token), receipt);
  }
  std::size_t count_records(std::string_view prefix = kTransactionPrefix) {
    const TreePtr tree = engine_->open_tree(ColumnFamily::kSystem, std::string(prefix));
    const auto cursor = engine_->scan(*tree, {}, {}, Direction::kForward);
    std::size_t count = 0;
    while (cursor->next()) ++count;
    return count;
  }
  void store(std::string_view prefix, std::string key, std::string value) {
    const TreePtr tree =
        held_.emplace_back(engine_->open_tree(ColumnFamily::kSystem, std::string(prefix)));
    WriteBatch batch;
    batch.put(tree, std::move(key), std::move(value));
    engine_->commit(batch);
  }
  void store_of_format_2(std::string_view token, std::uint64_t hash, Clock::TimePoint expiry,
                         std::string_view receipt) {
    std::string record;
    append_uint64(record, hash);
    append_uint64(record, milliseconds(expiry));
    store(kTokenPrefixOfFormat2, std::string(kTokenPrefixOfFormat2).append(token),
          record.append(receipt));
  }

  Clock clock_;
  std::vector<TreePtr> held_;  // in memory a tree ends with its last handle
};

TEST_P(IdempotencyTokensTest, TellRepeatsMismatchesAndProgressApart) {
  IdempotencyTokens tokens(*engine_, clock_, kMemory);
  tokens.load();
  EXPECT_EQ(begin(tokens, "t", "a").state, State::kNew);
  EXPECT_EQ(begin(tokens, "t", "a").state, State::kInProgress);
  EXPECT_EQ(begin(tokens, "t", "b").state, State::kMismatch);
  tokens.abandon(digest_of("t"));
  carry_out(tokens, "t", "a");
  EXPECT_EQ(begin(tokens, "t", "a").state, State::kRepeated);
  EXPECT_EQ(begin(tokens, "t", "a").receipt, "receipt");
  EXPECT_EQ(begin(tokens, "t", "b").state, State::kMismatch);
  EXPECT_EQ(begin(tokens, "other", "b").state, State::kNew);
}

TEST_P(IdempotencyTokensTest, AreForgottenAfterTenMinutes) {
  IdempotencyTokens tokens(*engine_, clock_, kMemory);
  tokens.load();
  carry_out(tokens, "t", "a");
  clock_.advance(kTokenLifetime - std::chrono::seconds(5));
  EXPECT_EQ(begin(tokens, "t", "a").state, State::kRepeated);
  clock_.advance(std::chrono::seconds(6));
  carry_out(tokens, "t", "b");
  EXPECT_EQ(begin(tokens, "t", "b").state, State::kRepeated);
}

TEST_P(IdempotencyTokensTest, SurviveARestart) {
  if (!engine_->is_durable()) return;
  {
    IdempotencyTokens tokens(*engine_, clock_, kMemory);
    tokens.load();
    carry_out(tokens, "first", "a");
    carry_out(tokens, "second", "b", std::string(300, 'r'));
  }
  reopen();
  IdempotencyTokens tokens(*engine_, clock_, kMemory);
  tokens.load();
  EXPECT_EQ(begin(tokens, "first", "a").state, State::kRepeated);
  EXPECT_EQ(begin(tokens, "first", "a").receipt, "receipt");
  EXPECT_EQ(begin(tokens, "first", "b").state, State::kMismatch);
  EXPECT_EQ(begin(tokens, "second", "b").receipt, std::string(300, 'r'));
}

TEST_P(IdempotencyTokensTest, LeaveNothingBehind) {
  IdempotencyTokens tokens(*engine_, clock_, kMemory);
  tokens.load();
  for (int i = 0; i < 100; ++i) carry_out(tokens, "t" + std::to_string(i), "a");
  EXPECT_EQ(count_records(), engine_->is_durable() ? 100 : 0);
  clock_.advance(kTokenLifetime + std::chrono::seconds(1));
  // Each new one takes some with it; none holds the others up with many.
  carry_out(tokens, "t0", "b");
  EXPECT_EQ(count_records(), engine_->is_durable() ? 85 : 0);
  tokens.sweep();
  EXPECT_EQ(count_records(), engine_->is_durable() ? 1 : 0);
  EXPECT_EQ(begin(tokens, "t0", "b").state, State::kRepeated);
  clock_.advance(kTokenLifetime + std::chrono::seconds(1));
  tokens.sweep();
  EXPECT_EQ(count_records(), 0);
  EXPECT_EQ(tokens.memory_used(), 0);
}

TEST_P(IdempotencyTokensTest, ExpiredOnesOfAnEarlierProcessGoToo) {
  if (!engine_->is_durable()) return;
  {
    IdempotencyTokens tokens(*engine_, clock_, kMemory);
    for (int i = 0; i < 2'500; ++i) carry_out(tokens, "t" + std::to_string(i), "a");
  }
  clock_.advance(kTokenLifetime + std::chrono::seconds(1));
  IdempotencyTokens tokens(*engine_, clock_, kMemory);
  tokens.load();
  carry_out(tokens, "t7", "other");
  tokens.sweep();
  EXPECT_EQ(count_records(), 1);
}

TEST_P(IdempotencyTokensTest, AreNeverForgottenForNewOnes) {
  IdempotencyTokens tokens(*engine_, clock_, 1'000);
  int count = 0;
  for (; begin(tokens, std::to_string(count), "a").state == State::kNew; ++count) {
    tokens.abandon(digest_of(std::to_string(count)));
    carry_out(tokens, std::to_string(count), "a", std::string(100, 'r'));
    ASSERT_LT(count, 100);
  }
  EXPECT_EQ(count, 5);
  EXPECT_EQ(begin(tokens, "other", "a").state, State::kFull);
  EXPECT_EQ(begin(tokens, "0", "a").state, State::kRepeated);
  EXPECT_EQ(begin(tokens, "0", "b").state, State::kMismatch);
  clock_.advance(kTokenLifetime + std::chrono::seconds(1));
  carry_out(tokens, "other", "a");
  EXPECT_EQ(begin(tokens, "0", "b").state, State::kNew);
  IdempotencyTokens none(*engine_, clock_, 0);
  EXPECT_EQ(begin(none, "other", "a").state, State::kFull);
}

TEST_P(IdempotencyTokensTest, TakeHundredBytesOrSo) {
  constexpr std::size_t kCount = 10'000;
  IdempotencyTokens tokens(*engine_, clock_, kMemory * 10);
  for (std::size_t i = 0; i < kCount; ++i) carry_out(tokens, std::to_string(i), "a", "\2");
  EXPECT_LE(tokens.memory_used() / kCount, 112);
}

TEST_P(IdempotencyTokensTest, RecordsOfFormat2AreHonoured) {
  const auto hash = [] { return std::uint64_t{7}; };
  const auto other_hash = [] { return std::uint64_t{8}; };
  const auto answer = [&](IdempotencyTokens& tokens, std::string_view token,
                          absl::FunctionRef<std::uint64_t()> content) {
    return tokens.begin(digest_of(token), {digest_of("of format 3"), content}).state;
  };
  store_of_format_2("late", 7, clock_.now() + std::chrono::minutes(5), "receipt");
  store_of_format_2("early", 7, clock_.now() + std::chrono::minutes(1), "receipt");
  store_of_format_2("expired", 7, clock_.now() - std::chrono::minutes(1), "receipt");
  IdempotencyTokens tokens(*engine_, clock_, kMemory);
  tokens.load();
  EXPECT_EQ(count_records(kTokenPrefixOfFormat2), 2);
  EXPECT_EQ(answer(tokens, "expired", hash), State::kNew);
  EXPECT_EQ(answer(tokens, "early", hash), State::kRepeated);
  EXPECT_EQ(answer(tokens, "early", other_hash), State::kMismatch);
  clock_.advance(std::chrono::minutes(2));
  carry_out(tokens, "early", "new");
  EXPECT_EQ(begin(tokens, "early", "new").state, State::kRepeated);
  EXPECT_EQ(answer(tokens, "late", hash), State::kRepeated);
  clock_.advance(std::chrono::minutes(4));
  tokens.sweep();
  EXPECT_EQ(answer(tokens, "late", hash), State::kNew);
  EXPECT_EQ(begin(tokens, "early", "new").state, State::kRepeated);
  if (!engine_->is_durable()) return;
  IdempotencyTokens next(*engine_, clock_, kMemory);
  next.load();
  EXPECT_EQ(count_records(kTokenPrefixOfFormat2), 0);
  EXPECT_EQ(begin(next, "early", "new").state, State::kRepeated);
}

INSTANTIATE_TEST_SUITE_P(Engines, IdempotencyTokensTest, kEngineKinds, engine_kind_name);

TEST_P(IdempotencyTokensTest, DamagedRecordsAreRefused) {
  const auto load = [&](std::uint64_t expiry, std::size_t key_size, std::size_t size) {
    const std::string key = transaction_key(expiry, digest_of("t")).substr(0, key_size);
    store(kTransactionPrefix, key, std::string(size, 'd'));
    IdempotencyTokens(*engine_, clock_, kMemory).load();
    WriteBatch batch;
    const TreePtr tree = engine_->open_tree(ColumnFamily::kSystem, std::string(kTransactionPrefix));
    batch.remove(tree, key);
    engine_->commit(batch);
  };
  EXPECT_NO_THROW(load(1'790'000'000'000, 36, 16));
  EXPECT_THROW(load(1'790'000'000'000, 36, 15), EngineError);
  EXPECT_THROW(load(1'790'000'000'000, 35, 16), EngineError);
}

TEST_P(IdempotencyTokensTest, TimesThatCannotBeAreRefused) {
  for (const std::uint64_t expiry : {std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    store(kTransactionPrefix, transaction_key(expiry, digest_of("t")), std::string(16, 'd'));
    EXPECT_THROW(IdempotencyTokens(*engine_, clock_, kMemory).load(), EngineError);
  }
}

TEST_P(IdempotencyTokensTest, DamagedRecordsOfFormat2AreRefused) {
  const auto load = [&](std::uint64_t expiry, std::size_t size) {
    std::string record;
    append_uint64(record, 1);
    append_uint64(record, expiry);
    store(kTokenPrefixOfFormat2, std::string(kTokenPrefixOfFormat2) + "t", record.substr(0, size));
    IdempotencyTokens(*engine_, clock_, kMemory).load();
  };
  EXPECT_NO_THROW(load(4'000'000'000'000, 16));
  EXPECT_THROW(load(4'000'000'000'000, 15), EngineError);
  EXPECT_THROW(load(std::uint64_t{1} << 62, 16), EngineError);
  EXPECT_THROW(load(~std::uint64_t{0}, 16), EngineError);
}

}  // namespace
}  // namespace magneto::storage
