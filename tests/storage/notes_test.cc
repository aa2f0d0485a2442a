#include "storage/notes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "storage/databases.h"
#include "storage/engine/memory/memory_engine.h"
#include "storage/saved_snapshots.h"
#include "tests/support/engines.h"
#include "tests/support/faulty_engine.h"

namespace magneto::storage {
namespace {

using Durability = Notes::Durability;
using Names = std::vector<std::string>;

class NotesTest : public EngineTest {
 protected:
  std::shared_ptr<Notes> notes() {
    if (notes_ == nullptr) notes_ = std::make_shared<Notes>(std::shared_ptr(std::move(engine_)));
    return notes_;
  }

  std::shared_ptr<Notes> notes_;
};

TEST_P(NotesTest, AreReplacedListedAndRemoved) {
  const std::string any("\0\xFF\n", 3);
  notes()->put("b/2", "two", Durability::kProcess);
  notes()->put("b/1", any, Durability::kPower);
  notes()->put("a", "", Durability::kProcess);
  notes()->put("b/2", "another", Durability::kPower);
  EXPECT_EQ(notes()->get("b/1"), any);
  EXPECT_EQ(notes()->get("b/2"), "another");
  EXPECT_EQ(notes()->get("a"), "");
  EXPECT_EQ(notes()->get("b"), std::nullopt);
  EXPECT_EQ(notes()->names(""), (Names{"a", "b/1", "b/2"}));
  EXPECT_EQ(notes()->names("b/"), (Names{"b/1", "b/2"}));
  EXPECT_EQ(notes()->names("c"), Names());
  notes()->remove("b/1", Durability::kPower);
  notes()->remove("b/1", Durability::kProcess);
  EXPECT_EQ(notes()->names(""), (Names{"a", "b/2"}));
}

TEST_P(NotesTest, OutliveTheEngineWhereThatIsDurable) {
  const bool is_durable = engine_->is_durable();
  EXPECT_EQ(notes()->is_durable(), is_durable);
  notes()->put("kept", "x", Durability::kPower);
  notes_.reset();
  engine_ = open_engine(GetParam(), directory_);
  EXPECT_EQ(notes()->get("kept"), is_durable ? std::optional<std::string>("x") : std::nullopt);
}

TEST_P(NotesTest, AreBounded) {
  EXPECT_THROW(notes()->put("", "x", Durability::kProcess), EngineError);
  EXPECT_THROW(notes()->put(std::string(Notes::kMaxNameSize + 1, 'n'), "x", Durability::kProcess),
               EngineError);
  EXPECT_THROW(notes()->put("n", std::string(Notes::kMaxSize + 1, 'x'), Durability::kProcess),
               EngineError);
  EXPECT_EQ(notes()->names(""), Names());
  const std::string name(Notes::kMaxNameSize, 'n');
  notes()->put(name, std::string(Notes::kMaxSize, 'x'), Durability::kProcess);
  EXPECT_EQ(notes()->get(name)->size(), Notes::kMaxSize);
}

TEST_P(NotesTest, MoveToAnotherEngineInPlaceOfThoseThere) {
  const TempDirectory other;
  const std::shared_ptr<Engine> next = open_engine(GetParam(), other);
  Notes(next).put("old", "x", Durability::kProcess);
  // Of more bytes than one commit takes.
  const std::string large(Notes::kMaxSize / 2 + 1, 'x');
  for (const char* name : {"a", "b", "c", "d"}) notes()->put(name, large, Durability::kProcess);
  EXPECT_THROW(notes()->move_to(next, [] { throw EngineError("not now"); }), EngineError);
  notes()->put("e", "before", Durability::kProcess);
  notes()->move_to(next, [] {});
  notes()->put("e", "after", Durability::kProcess);
  const Notes moved(next);
  EXPECT_EQ(moved.names(""), (Names{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(moved.get("e"), "after");
  EXPECT_EQ(moved.get("d")->size(), large.size());
}

INSTANTIATE_TEST_SUITE_P(Engines, NotesTest, kAllEngineKinds, engine_kind_name);

TEST(NotesOfAnEngine, AreNoMoreThanTheirNumber) {
  Notes notes(make_memory_engine());
  for (std::size_t i = 0; i < Notes::kMaxCount; ++i) {
    notes.put(std::to_string(i), "", Durability::kProcess);
  }
  EXPECT_THROW(notes.put("more", "", Durability::kProcess), EngineError);
  notes.put("1", "another", Durability::kProcess);
  notes.remove("2", Durability::kProcess);
  notes.put("more", "", Durability::kProcess);
}

TEST(NotesOfAnEngine, AreSyncedWhereLossOfPowerIsNamed) {
  const TempDirectory directory;
  const auto faults = std::make_shared<FaultyEngine::Faults>();
  int synced = 0;
  faults->fails = [&synced](const WriteBatch& batch) {
    synced += batch.is_synced() ? 1 : 0;
    return false;
  };
  Notes notes(std::make_shared<FaultyEngine>(open_engine(EngineKind::kRocksdb, directory), faults));
  notes.put("a", "x", Durability::kProcess);
  EXPECT_EQ(synced, 0);
  notes.put("a", "y", Durability::kPower);
  notes.remove("a", Durability::kPower);
  EXPECT_EQ(synced, 2);
  faults->commits = true;
  EXPECT_THROW(notes.put("b", "x", Durability::kPower), EngineError);
  EXPECT_EQ(notes.get("b"), std::nullopt);
}

class NotesOfAStore : public testing::Test {
 protected:
  std::string format() const {
    std::ifstream marker(options_.data_directory + "/MAGNETO");
    return {std::istreambuf_iterator<char>(marker), {}};
  }

  const TempDirectory directory_;
  Clock clock_;
  const DatabaseOptions options_ = [this] {
    DatabaseOptions options{};
    options.data_directory = directory_.file("data");
    return options;
  }();
  std::unique_ptr<Databases> store_ = Databases::open(options_, clock_);
};

TEST_F(NotesOfAStore, OlderVersionsReadTheStoreAsLongAsThereIsNone) {
  EXPECT_EQ(store_->notes()->names(""), Names());
  EXPECT_NE(format().find("format 3\n"), std::string::npos) << format();
  store_->notes()->put("a", "x", Durability::kProcess);
  EXPECT_NE(format().find("format 7\n"), std::string::npos) << format();
}

TEST_F(NotesOfAStore, AreInNoForkAndNoDatabase) {
  store_->notes()->put("a", "x", Durability::kProcess);
  const auto fork = Databases::fork(store_->snapshot(), {}, clock_);
  EXPECT_EQ(fork->notes()->names(""), Names());
  fork->notes()->put("b", "y", Durability::kProcess);
  EXPECT_EQ(store_->notes()->names(""), Names{"a"});
  SavedSnapshots::save(*store_, "s", "");
  const auto saved = SavedSnapshots::of(*store_, options_)->open("s");
  EXPECT_EQ(Databases::fork(saved, {}, clock_)->notes()->names(""), Names());
  EXPECT_TRUE(store_->main().list_tables("", 10).empty());
  EXPECT_EQ(store_->statistics(10).tables.size(), 0U);
}

TEST_F(NotesOfAStore, ARestoredStoreTakesOverThoseOfTheFormer) {
  const std::shared_ptr<Notes> notes = store_->notes();
  notes->put("gone", "x", Durability::kProcess);
  notes->put("stays", "then", Durability::kProcess);
  SavedSnapshots::save(*store_, "s", "");
  notes->remove("gone", Durability::kProcess);
  notes->put("stays", "now", Durability::kProcess);
  auto restored = SavedSnapshots::of(*store_, options_)->restore("s", clock_);
  restored->replace(*store_);
  store_ = std::move(restored);
  EXPECT_EQ(store_->notes(), notes);
  EXPECT_EQ(notes->names(""), Names{"stays"});
  EXPECT_EQ(notes->get("stays"), "now");
  notes->put("new", "y", Durability::kProcess);
  store_.reset();
  EXPECT_EQ(notes.use_count(), 1);
}

TEST_F(NotesOfAStore, AreThereAgainAfterARestoreAndARestart) {
  store_->notes()->put("a", "then", Durability::kProcess);
  SavedSnapshots::save(*store_, "s", "");
  store_->notes()->put("a", "now", Durability::kProcess);
  auto restored = SavedSnapshots::of(*store_, options_)->restore("s", clock_);
  restored->replace(*store_);
  store_ = std::move(restored);
  store_.reset();
  store_ = Databases::open(options_, clock_);
  EXPECT_EQ(store_->notes()->get("a"), "now");
}

TEST_F(NotesOfAStore, WritersGoOnWhileTheStoreIsReplaced) {
  const std::shared_ptr<Notes> notes = store_->notes();
  SavedSnapshots::save(*store_, "s", "");
  std::thread writer([&notes] {
    for (int i = 0; i <= 500; ++i) notes->put("n", std::to_string(i), Durability::kProcess);
  });
  for (int i = 0; i < 3; ++i) {
    auto restored = SavedSnapshots::of(*store_, options_)->restore("s", clock_);
    restored->replace(*store_);
    store_ = std::move(restored);
  }
  writer.join();
  EXPECT_EQ(notes->get("n"), "500");
}

}  // namespace
}  // namespace magneto::storage
