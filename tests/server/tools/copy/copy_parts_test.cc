// Digests, the state file's text, and limits.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "server/tools/copy/copy_state.h"
#include "server/tools/copy/item_digest.h"
#include "server/tools/copy/unit_limit.h"

namespace magneto::server::tools {
namespace {

std::string canonical(std::string json) {
  api::json::Document document;
  std::string text;
  append_canonical_item(document.parse(json).value_or(api::json::Value()), text);
  return text;
}

TEST(ItemDigest, EqualItemsHaveOneForm) {
  EXPECT_EQ(canonical(R"({"a":{"N":"1.0"},"b":{"SS":["x","y"]}})"),
            canonical(R"({"b":{"SS":["y","x"]},"a":{"N":"1"}})"));
  EXPECT_EQ(canonical(R"({"m":{"M":{"p":{"NS":["10","2"]},"q":{"NULL":true}}}})"),
            canonical(R"({"m":{"M":{"q":{"NULL":true},"p":{"NS":["2","1E1"]}}}})"));
  const char* const others[] = {
      R"({"a":{"S":"1"}})",
      R"({"a":{"N":"1"}})",
      R"({"a":{"B":"1"}})",
      R"({"a":{"SS":["1"]}})",
      R"({"a":{"BS":["1"]}})",
      R"({"a":{"L":[]}})",
      R"({"a":{"L":[{"L":[]},{"L":[]}]}})",
      R"({"a":{"L":[{"L":[{"L":[]}]}]}})",
      R"({"a":{"M":{}}})",
      R"({"a":{"BOOL":true}})",
      R"({"a":{"BOOL":false}})",
      R"({"a":{"NULL":true}})",
      R"({"a":{"SS":["1","2"]}})",
      R"({"a":{"SS":["12"]}})",
      R"({"a":{"S":"1"},"b":{"S":""}})",
      R"({"aS=1:1":{"S":""}})",
      R"({})",
  };
  std::set<std::string> forms;
  for (const char* const item : others) forms.insert(canonical(item));
  EXPECT_EQ(forms.size(), std::size(others));
}

TEST(ItemDigest, IsASumInAnyOrder) {
  const ItemHash a = hash_of("a");
  const ItemHash b{.high = 1, .low = ~std::uint64_t{0}};
  const ItemHash c{.high = 2, .low = 3};
  ItemDigest one;
  for (const ItemHash& hash : {a, b, c}) one.add(hash);
  ItemDigest other;
  ItemDigest part;
  other.add(c);
  part.add(b);
  part.add(a);
  other.add(part);
  EXPECT_EQ(one, other);
  EXPECT_EQ(one.count(), 3U);
  EXPECT_EQ(ItemDigest(3, ItemDigest::read_sum(one.text())), one);
  ItemDigest carried;
  carried.add(b);
  carried.add(c);
  EXPECT_EQ(carried.text(), "00000000000000040000000000000002");
}

TEST(CopyState, IsReadAsItWasWritten) {
  CopyState state{.from = "http://a", .to = "b \"c\"", .settings = "{}", .tables{}};
  TableState& table = state.tables["T"];
  table.source_id = "s";
  table.is_made = true;
  table.stream_arn = "arn";
  table.listed_at = 12;
  table.segments = {{.is_done = true, .next_key{}, .read{3, {1, 2}}, .written{2, {3, 4}}},
                    {.is_done = false, .next_key = R"({"pk":{"S":"é\""}})", .read{}, .written{}}};
  table.shards["shard-1"] = {ShardState::Position::kAfter, "123", 4};
  const std::string text = write_copy_state(state);
  const auto read = read_copy_state(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(write_copy_state(*read), text);
  EXPECT_EQ(read->tables.at("T").segments[1].next_key, R"({"pk":{"S":"é\""}})");
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_FALSE(read_copy_state(text.substr(0, size))) << size;
  }
  for (const char* const other : {"[]", "{}", "1", R"({"format":"magneto-copy-2","tables":{}})",
                                  R"({"format":"magneto-copy-1","tables":{"T":1}})"}) {
    EXPECT_FALSE(read_copy_state(other)) << other;
  }
}

TEST(UnitLimit, KeepsThreadsUnderTheRate) {
  std::atomic<bool> asked{false};
  const StopSignal stop(asked);
  UnitLimit limit(1000);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) limit.spend(20, stop);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(190));
  asked = true;
  EXPECT_THROW(limit.spend(1e12, stop), Stopped);
  UnitLimit none(0);
  EXPECT_THROW(none.spend(1, stop), Stopped);
}

}  // namespace
}  // namespace magneto::server::tools
