#include "storage/stream/stream_catalog.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "storage/encoding/keyspace.h"
#include "tests/storage/database_fixture.h"

namespace magneto::storage {
namespace {

class StreamCatalogTest : public EngineTest {
 protected:
  StreamPtr create(const std::string& table_name, std::string_view previous_label = "",
                   std::uint32_t database = 0) {
    TableSchema table = table_schema(table_name);
    table.database = database;
    table.number = ++tables_;
    table.stream = {true, "KEYS_ONLY", ""};
    StreamPtr stream;
    Records(*engine_).change({counter_key(kStreamCounter)}, [&](Records::Change& records) {
      stream = catalog_->create(table, StreamUse::kClients, previous_label, records);
      return true;
    });
    catalog_->publish(stream);
    return stream;
  }

  std::vector<std::string> list(std::string_view table_name, std::string_view start,
                                std::size_t limit) const {
    std::vector<std::string> names;
    for (const auto& stream : catalog_->list(0, table_name, start, limit)) {
      names.push_back(stream->description().table_name);
    }
    return names;
  }

  Clock clock_;
  std::unique_ptr<StreamCatalog> catalog_ = std::make_unique<StreamCatalog>(*engine_, clock_);
  std::uint32_t tables_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Engines, StreamCatalogTest, kEngineKinds, engine_kind_name);

using Names = std::vector<std::string>;

TEST_P(StreamCatalogTest, FindsAndListsByArn) {
  const StreamPtr b = create("b");
  const StreamPtr a = create("a");
  EXPECT_EQ(catalog_->find(0, b->arn()), b);
  EXPECT_EQ(catalog_->find(0, b->arn() + "0"), nullptr);
  EXPECT_TRUE(b->arn().starts_with("arn:aws:dynamodb:eu-west-1:000000000000:table/b/stream/2"));
  EXPECT_EQ(list("", "", 10), (Names{"a", "b"}));
  EXPECT_EQ(list("", "", 1), (Names{"a"}));
  EXPECT_EQ(list("", a->arn(), 10), (Names{"b"}));
  EXPECT_EQ(list("a", "", 10), (Names{"a"}));
  EXPECT_EQ(list("c", "", 10), Names());
}

TEST_P(StreamCatalogTest, DatabasesHaveStreamsOfTheirOwn) {
  // Tables of one name, made in the same millisecond, have streams of one ARN.
  const StreamPtr main = create("t");
  StreamPtr other;
  for (int i = 0; i < 100 && (other == nullptr || other->arn() != main->arn()); ++i) {
    if (other != nullptr) catalog_->remove(other);
    clock_.advance(std::chrono::milliseconds(main->description().created) -
                   clock_.now().time_since_epoch());
    other = create("t", "", 7);
  }
  EXPECT_EQ(other->arn(), main->arn());
  EXPECT_EQ(catalog_->find(0, main->arn()), main);
  EXPECT_EQ(catalog_->find(7, other->arn()), other);
  EXPECT_EQ(catalog_->find(8, other->arn()), nullptr);
  EXPECT_EQ(list("", "", 10), (Names{"t"}));
  EXPECT_EQ(catalog_->list(7, "t", "", 10).size(), 1U);
  EXPECT_EQ(catalog_->list(7, "t", other->arn(), 10).size(), 0U);
  EXPECT_EQ(catalog_->list(8, "", "", 10).size(), 0U);
  EXPECT_EQ(catalog_->all().size(), 2U);
  catalog_->remove(main);
  EXPECT_EQ(catalog_->find(0, main->arn()), nullptr);
  EXPECT_EQ(catalog_->find(7, other->arn()), other);
}

TEST_P(StreamCatalogTest, LabelsOfOneNameDifferAndAscend) {
  std::set<std::string> labels;
  std::string last;
  for (int i = 0; i < 20; ++i) {
    last = create("t", last)->description().label;
    EXPECT_TRUE(labels.insert(last).second);
    EXPECT_EQ(last, *labels.rbegin());
  }
  // Also labels of deleted tables, which no table has any more.
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(labels.insert(create("t")->description().label).second);
  EXPECT_EQ(list("t", "", 100).size(), 40U);
}

TEST_P(StreamCatalogTest, AnExpiredStreamIsNotFoundAndCanBeRemoved) {
  const StreamPtr stream = create("t");
  stream->close();
  clock_.advance(std::chrono::hours(24) - std::chrono::seconds(5));
  EXPECT_EQ(catalog_->find(0, stream->arn()), stream);
  clock_.advance(std::chrono::seconds(10));
  EXPECT_EQ(catalog_->find(0, stream->arn()), nullptr);
  EXPECT_EQ(list("", "", 10), Names());
  EXPECT_EQ(catalog_->all(), (std::vector<StreamPtr>{stream}));
  catalog_->remove(stream);
  EXPECT_TRUE(catalog_->all().empty());
}

TEST_P(StreamCatalogTest, StreamsAndTheirNumbersSurviveARestart) {
  if (!engine_->is_durable()) return;
  std::string kept;
  std::uint32_t last = 0;
  {
    const StreamPtr removed = create("a");
    kept = create("b")->arn();
    const StreamPtr newest = create("c");
    last = newest->description().number;
    catalog_->remove(removed);
    catalog_->remove(newest);
  }
  catalog_.reset();
  reopen();
  catalog_ = std::make_unique<StreamCatalog>(*engine_, clock_);
  catalog_->load();
  EXPECT_EQ(list("", "", 10), (Names{"b"}));
  EXPECT_EQ(catalog_->find(0, kept)->arn(), kept);
  EXPECT_EQ(create("d")->description().number, last + 1);
  catalog_.reset();
}

}  // namespace
}  // namespace magneto::storage
