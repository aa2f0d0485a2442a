#include "storage/engine/rocksdb/memory_reserve.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "storage/engine/engine.h"
#include "storage/messages/memory_messages.h"

namespace magneto::storage {

namespace {

// More than all writes in progress need: RocksDB keeps one or two copies of a write, of up to 16
// MB.
constexpr std::size_t kReserve = 64 << 20;
// Enough for one write of ordinary size. Used if there is no more, for example in a fragmented
// heap.
constexpr std::size_t kLeastReserve = 8 << 20;
constexpr std::chrono::milliseconds kPause(1);
constexpr std::chrono::seconds kPatience(30);

// Its first word is its size; nullptr while it is not held.
std::atomic<std::size_t*> reserve = nullptr;
thread_local int calls = 0;  // MemoryInHand objects of this thread
thread_local std::chrono::milliseconds waited{0};

bool spend_reserve() {
  std::size_t* const memory = reserve.exchange(nullptr);
  if (memory == nullptr) return false;
  ::munmap(memory, *memory);
  return true;
}

// RocksDB names the threads of its pools (release 7.8: "rocksdb:low", "rocksdb:high").
bool is_rocksdbs_thread() {
  std::array<char, 16> name{};
  return ::pthread_getname_np(::pthread_self(), name.data(), name.size()) == 0 &&
         std::string_view(name.data()).starts_with("rocksdb:");
}

[[noreturn]] void end_process() {
  constexpr std::string_view kText = messages::kNoMemoryInRocksdb;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  std::abort();
}

// A std::new_handler: `new` tries again after it returns.
void find_memory() {
  const bool is_foreground = calls > 0;
  if (!is_foreground && !is_rocksdbs_thread()) throw std::bad_alloc();
  if (spend_reserve()) return;
  if (is_foreground && waited > kPatience) end_process();
  std::this_thread::sleep_for(kPause);
  waited += kPause;
}

bool take_reserve() {
  for (std::size_t size = kReserve; size >= kLeastReserve; size /= 2) {
    void* const memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) continue;
    std::set_new_handler(&find_memory);
    auto* const taken = new (memory) std::size_t(size);
    std::size_t* none = nullptr;
    if (!reserve.compare_exchange_strong(none, taken)) ::munmap(memory, size);
    return true;
  }
  return reserve.load() != nullptr;  // another thread's
}

bool have_reserve() { return reserve.load(std::memory_order_relaxed) != nullptr || take_reserve(); }

}  // namespace

MemoryInHand::MemoryInHand() {
  if (calls == 0) {
    if (!have_reserve()) throw EngineError(messages::kNoMemory);
    waited = std::chrono::milliseconds(0);
  }
  ++calls;
}

MemoryInHand::MemoryInHand(std::nothrow_t) noexcept {
  if (calls == 0) waited = std::chrono::milliseconds(0);
  ++calls;
}

MemoryInHand::~MemoryInHand() { --calls; }

}  // namespace magneto::storage
