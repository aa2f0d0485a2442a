#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

// Counts the acquisitions of mutexes and shared mutexes of this program. lock_counts.cc takes the
// place of pthread_mutex_lock() and its like. Locks that are no pthread locks are not counted: the
// stripes of storage::KeyLocks, of which a key's hash selects one.
namespace magneto::contention {

// The acquisitions of one lock.
struct LockUse {
  std::set<int> threads;  // that took it
  std::uint64_t count = 0;
  std::uint64_t contended = 0;                  // those that found it held
  std::map<std::string, std::uint64_t> places;  // by the function that took it
};

// The acquisitions of this thread count from now on, as those of thread `number`.
void begin_counting(int number);
// Ends that, and adds the counts to those of other threads.
void end_counting();
// The uses by address, of all threads that have ended. Forgets them.
std::map<const void*, LockUse> take_uses();

}  // namespace magneto::contention
