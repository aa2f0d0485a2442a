#include "storage/table/memory_budget.h"

#include "storage/messages/memory_messages.h"

namespace magneto::storage {

const char* MemoryBudget::refusal() const {
  const bool is_fork_full = is_of_fork_ && left_.load(std::memory_order_relaxed) <= 0;
  return is_fork_full ? messages::kForkFull : messages::kMemoryFull;
}

}  // namespace magneto::storage
