#include "tests/contention/lock_counts.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <pthread.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

namespace magneto::contention {

namespace {

struct Slot {
  const void* lock;
  const void* place;
  std::uint64_t count;
  std::uint64_t contended;
};

// More than all locks and places of a workload, without the locks of single keys.
constexpr std::size_t kSlots = 1U << 14;
thread_local std::array<Slot, kSlots>* counted = nullptr;
thread_local int number_of_thread = 0;

std::mutex all_mutex;  // guards all
std::map<const void*, LockUse> all;

void count(const void* lock, const void* place, bool was_held) {
  if (counted == nullptr) return;
  const auto hash =
      reinterpret_cast<std::uintptr_t>(lock) * 31 + reinterpret_cast<std::uintptr_t>(place);
  for (std::size_t i = hash >> 2;; ++i) {
    Slot& slot = (*counted)[i % kSlots];
    if (slot.lock == nullptr) slot = {lock, place, 0, 0};
    if (slot.lock != lock || slot.place != place) continue;
    ++slot.count;
    slot.contended += was_held ? 1 : 0;
    return;
  }
}

std::string name_of(const void* place) {
  Dl_info info{};
  if (::dladdr(place, &info) == 0 || info.dli_sname == nullptr) return "?";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), &std::free);
  std::string text = status == 0 ? name.get() : info.dli_sname;
  return text.substr(0, text.find('('));
}

template <typename Function>
Function* original(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

template <typename Lock>
int acquire(Lock* lock, const void* place, int (*attempt)(Lock*), int (*wait)(Lock*)) {
  int result = attempt(lock);
  const bool was_held = result == EBUSY;
  if (was_held) result = wait(lock);
  count(lock, place, was_held);
  return result;
}

}  // namespace

void begin_counting(int number) {
  number_of_thread = number;
  counted = new std::array<Slot, kSlots>{};
}

void end_counting() {
  const std::unique_ptr<std::array<Slot, kSlots>> mine(std::exchange(counted, nullptr));
  const std::lock_guard lock(all_mutex);
  for (const Slot& slot : *mine) {
    if (slot.lock == nullptr) continue;
    LockUse& use = all[slot.lock];
    use.threads.insert(number_of_thread);
    use.count += slot.count;
    use.contended += slot.contended;
    use.places[name_of(slot.place)] += slot.count;
  }
}

std::map<const void*, LockUse> take_uses() {
  const std::lock_guard lock(all_mutex);
  return std::exchange(all, {});
}

}  // namespace magneto::contention

// NOLINTBEGIN(readability-identifier-naming): the names of the functions that these replace
extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  static const auto wait =
      magneto::contention::original<int(pthread_mutex_t*)>("pthread_mutex_lock");
  return magneto::contention::acquire(mutex, __builtin_return_address(0), &::pthread_mutex_trylock,
                                      wait);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  static const auto wait =
      magneto::contention::original<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
  return magneto::contention::acquire(lock, __builtin_return_address(0),
                                      &::pthread_rwlock_tryrdlock, wait);
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  static const auto wait =
      magneto::contention::original<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
  return magneto::contention::acquire(lock, __builtin_return_address(0),
                                      &::pthread_rwlock_trywrlock, wait);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
