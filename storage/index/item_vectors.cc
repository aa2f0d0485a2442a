#include "storage/index/item_vectors.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "storage/encoding/item_encoding.h"
#include "storage/engine/processors.h"
#include "storage/model/effort.h"
#include "storage/model/vector_value.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kMostThreads = 8;
// A thread is worth a millisecond of work, in which it reads this many numbers. To find an item takes
// as long as that many.
constexpr std::size_t kNumbersOfAThread = std::size_t{1} << 18;
constexpr std::size_t kNumbersOfAnItem = 1'000;
constexpr std::size_t kPiecesOfAThread = 8;
// Other items that a scan passes over before a new scan begins at the next wanted one. It takes
// about as long to begin one.
constexpr std::size_t kMostPassed = 4;

}  // namespace

// Contiguous parts of a sequence, which threads take one after the other.
class ItemVectors::Pieces {
 public:
  Pieces(std::span<Wanted> all, std::size_t size) : all_(all), size_(size) {}

  // The next piece; empty if there is none.
  std::span<Wanted> take() {
    const std::size_t begin = std::min(taken_.fetch_add(size_), all_.size());
    return all_.subspan(begin, std::min(size_, all_.size() - begin));
  }
  // Ends the work of all threads. The first failure counts.
  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (failure_ == nullptr) failure_ = std::move(failure);
    is_over_ = true;
  }
  bool is_over() const { return is_over_.load(std::memory_order_relaxed); }
  // Called after all threads.
  void rethrow() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  const std::span<Wanted> all_;
  const std::size_t size_;
  std::atomic<std::size_t> taken_{0};
  std::atomic<bool> is_over_{false};
  std::mutex mutex_;            // guards failure_
  std::exception_ptr failure_;  // read after all threads
};

void ItemVectors::read(std::vector<Wanted>& wanted) const {
  std::sort(wanted.begin(), wanted.end(),
            [](const Wanted& left, const Wanted& right) { return left.key < right.key; });
  const std::size_t numbers = wanted.size() * (specification_.dimensions + kNumbersOfAnItem);
  const std::size_t threads =
      std::min({processor_count(), kMostThreads, numbers / kNumbersOfAThread + 1});
  Pieces pieces(wanted, wanted.size() / (threads * kPiecesOfAThread) + 1);
  const auto work = [&]() noexcept {
    try {
      for (auto piece = pieces.take(); !piece.empty() && !pieces.is_over(); piece = pieces.take()) {
        read_piece(piece, pieces);
      }
    } catch (...) {
      pieces.fail(std::current_exception());
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      while (others.size() + 1 < threads) others.emplace_back(work);
    } catch (const std::system_error&) {
      // Fewer threads take all pieces.
    }
    work();
  }
  pieces.rethrow();
}

void ItemVectors::read_piece(std::span<Wanted> piece, Pieces& pieces) const {
  std::vector<float> vector;
  const auto take = [&](Wanted& wanted, std::string_view item) {
    const AttributeView value = decode_item(item).find(specification_.attribute);
    if (!value || !read_vector(value, specification_.dimensions, vector).is_good()) return;
    IndexedVectors::set(wanted.place, vector);
    wanted.is_found = true;
  };
  ScanHint hint{.entries = 0, .bytes = 0, .is_single_pass = true};
  std::size_t i = 0;
  while (i < piece.size()) {
    const Tree& tree = *items_.tree_of(piece[i].key);
    const auto cursor = engine_.scan(tree, piece[i].key, {}, Direction::kForward, hint);
    hint.entries = kMostPassed + 1;  // the wanted items lie apart
    bool has_next = true;
    for (std::size_t passed = 0; i < piece.size() && passed <= kMostPassed;) {
      Effort::before_going_on();
      if (pieces.is_over()) return;
      has_next = cursor->next();
      if (!has_next) break;
      const std::string_view key = cursor->key();
      while (i < piece.size() && piece[i].key < key) ++i;
      const bool is_wanted = i < piece.size() && piece[i].key == key;
      passed = is_wanted ? 0 : passed + 1;
      // An entry that is moved while the index is read may have been found at both places.
      while (i < piece.size() && piece[i].key == key) take(piece[i++], cursor->value());
    }
    // There are no more items in this tree.
    while (!has_next && i < piece.size() && items_.tree_of(piece[i].key).get() == &tree) ++i;
  }
}

}  // namespace magneto::storage
