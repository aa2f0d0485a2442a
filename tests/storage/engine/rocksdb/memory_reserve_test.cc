#include "storage/engine/rocksdb/memory_reserve.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/engine/rocksdb/rocksdb_engine.h"
#include "tests/support/engines.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MAGNETO_SANITIZED true
#else
#define MAGNETO_SANITIZED false
#endif

namespace magneto::storage {
namespace {

// The sanitizers' allocator knows no limit of the address space; nor does an emulator.
constexpr bool kOwnAllocator = MAGNETO_SANITIZED;

// Ends the child with a message unless `holds`.
void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  ::_exit(1);
}

// All memory that there is, in ever smaller pieces.
class Hog {
 public:
  Hog() {
    pieces_.reserve(1 << 16);
    maps_.reserve(1 << 10);
    for (std::size_t size = 1 << 20; size >= 4'096; size /= 2) {
      void* map = nullptr;
      while ((map = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) !=
             MAP_FAILED) {
        maps_.emplace_back(map, size);
      }
    }
    for (std::size_t size = 1 << 20; size >= 64; size /= 2) {
      while (pieces_.size() < pieces_.capacity()) {
        char* const piece = new (std::nothrow) char[size];
        if (piece == nullptr) break;
        pieces_.emplace_back(piece);
      }
    }
  }
  ~Hog() {
    for (const auto& [map, size] : maps_) ::munmap(map, size);
  }
  Hog(const Hog&) = delete;
  Hog& operator=(const Hog&) = delete;

 private:
  std::vector<std::unique_ptr<char[]>> pieces_;
  std::vector<std::pair<void*, std::size_t>> maps_;
};

void limit_address_space(std::size_t more) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + more;
  const rlimit limit{bytes, bytes};
  require(::setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit failed");
}

// Until no other thread of this process has anything to do.
void wait_until_others_sleep() {
  constexpr int kLooks = 20;
  for (int idle = 0; idle < kLooks;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    bool is_idle = true;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      if (task.path().filename() == std::to_string(::gettid())) continue;
      std::ifstream file(task.path() / "stat");
      std::string text;
      std::getline(file, text);
      const std::size_t name_end = text.rfind(')');
      if (name_end != std::string::npos && text.compare(name_end + 1, 2, " S") != 0)
        is_idle = false;
    }
    idle = is_idle ? idle + 1 : 0;
  }
}

class MemoryReserveTest : public testing::Test {
 protected:
  // Calls `run` in a separate process, since a limit of the address space applies to a process. The
  // process is this program, started again for this one test: a fork has no threads of RocksDB.
  void in_child(const std::function<void()>& run) {
    constexpr const char* kIsChild = "MAGNETO_SHORT_OF_MEMORY";
    if (kOwnAllocator || std::string_view(MAGNETO_STORAGE_TESTS) != "/proc/self/exe") return;
    if (std::getenv(kIsChild) != nullptr) {
      try {
        run();
      } catch (const std::exception& error) {
        require(false, error.what());
      }
      ::_exit(0);
    }
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    const std::string filter = "--gtest_filter=MemoryReserveTest." + std::string(test->name());
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::setenv(kIsChild, "1", 1);
      ::execl("/proc/self/exe", "storage_tests", filter.c_str(), nullptr);
      ::_exit(2);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  }

  std::unique_ptr<Engine> open() {
    return open_rocksdb_engine({.directory = directory_.file("data")});
  }

  TempDirectory directory_;
};

using Model = std::map<std::string, std::string>;

// Puts of 100 keys, made while there is memory.
struct Write {
  Write(const TreePtr& tree, int round) {
    for (int i = 0; i < 100; ++i) {
      std::string key = "t" + std::to_string((i * 7'919 + round) % 1'000);
      std::string value = std::string(300, static_cast<char>('a' + round % 26)) + key;
      batch.put(tree, key, value);
      puts[std::move(key)] = std::move(value);
    }
  }

  // False when the engine refuses.
  bool commit(Engine& engine) {
    try {
      engine.commit(batch);
    } catch (const std::exception&) {
      return false;
    }
    return is_made = true;
  }

  WriteBatch batch;
  Model puts;
  bool is_made = false;
};

void use_reserve() {
  const MemoryInHand memory(std::nothrow);
  const std::vector<char> large(6 << 20);
}

// Makes `count` writes, when memory is short the second half without the reserve. Their outcome in
// `model`; how many were refused.
int write(Engine& engine, const TreePtr& tree, int count, bool is_short, Model& model) {
  std::vector<Write> writes;
  for (int round = 0; round < count; ++round) writes.emplace_back(tree, round);
  const std::size_t half = writes.size() / 2;
  {
    std::optional<Hog> hog;
    if (is_short) hog.emplace();
    for (std::size_t i = 0; i < half; ++i) writes[i].commit(engine);
    std::optional<Hog> hog_of_the_rest;
    std::optional<Hog> hog_of_the_reserve;
    if (is_short) {
      hog_of_the_rest.emplace();
      use_reserve();
      hog_of_the_reserve.emplace();
    }
    for (std::size_t i = half; i < writes.size(); ++i) writes[i].commit(engine);
  }
  int refused = 0;
  for (Write& one : writes) {
    if (!one.is_made) ++refused;
    if (!one.is_made) continue;
    for (auto& [key, value] : one.puts) model[key] = value;
  }
  return refused;
}

bool holds(Engine& engine, const TreePtr& tree, const Model& model) {
  const std::unique_ptr<Cursor> cursor = engine.scan(*tree, {}, {}, Direction::kForward);
  auto expected = model.begin();
  for (; cursor->next(); ++expected) {
    if (expected == model.end() || cursor->key() != expected->first ||
        cursor->value() != expected->second) {
      return false;
    }
  }
  return expected == model.end();
}

// Each write during the shortage was either made or refused as a whole, also after a restart. At
// the beginning the memory table has megabytes, which are not sorted yet.
TEST_F(MemoryReserveTest, AShortageRefusesWritesAndEndsNothing) {
  in_child([this] {
    constexpr std::size_t kMore = 96 << 20;
    Model model;
    std::unique_ptr<Engine> engine = open();
    TreePtr tree = engine->open_tree(ColumnFamily::kQueue, "t");
    require(write(*engine, tree, 150, false, model) == 0, "a write failed");
    limit_address_space(kMore);
    for (int shortage = 0; shortage < 3; ++shortage) {
      const int refused = write(*engine, tree, 200, true, model);
      require(refused >= 100, "a write was not refused");
      require(holds(*engine, tree, model), "another content after the shortage");
      require(write(*engine, tree, 100, false, model) == 0, "a write failed after the shortage");
    }
    require(holds(*engine, tree, model), "another content after all");
    tree.reset();
    engine.reset();
    engine = open();
    require(holds(*engine, engine->open_tree(ColumnFamily::kQueue, "t"), model),
            "lost by the restart");
  });
}

// Reading sorts the memory table; flushes are RocksDB's own threads'.
TEST_F(MemoryReserveTest, AShortageEndsNoReadNorFlush) {
  in_child([this] {
    constexpr std::size_t kMore = 96 << 20;
    Model model;
    std::unique_ptr<Engine> engine = open();
    const TreePtr tree = engine->open_tree(ColumnFamily::kQueue, "t");
    limit_address_space(kMore);
    for (int shortage = 0; shortage < 3; ++shortage) {
      require(write(*engine, tree, 150, false, model) == 0, "a write failed");
      const Hog hog;
      try {
        require(holds(*engine, tree, model), "another content in the shortage");
      } catch (const std::exception&) {  // refused, which may be
      }
    }
    require(write(*engine, tree, 150, false, model) == 0, "a write failed");
    const Hog hog;
    engine.reset();  // flushes
  });
}

TEST_F(MemoryReserveTest, OutsideOfItNewThrows) {
  in_child([this] {
    const std::unique_ptr<Engine> engine = open();
    // RocksDB's threads must begin first: glibc ends the process if it has no memory for a thread.
    wait_until_others_sleep();
    limit_address_space(32 << 20);
    const Hog hog;
    bool thrown = false;
    try {
      for (std::vector<std::unique_ptr<char[]>> more;;)
        more.push_back(std::make_unique<char[]>(99));
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    require(thrown, "new did not throw");
    const MemoryInHand memory;
    require(std::make_unique<char[]>(16 << 20) != nullptr, "new threw");
  });
}

}  // namespace
}  // namespace magneto::storage
