#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace magneto::storage {

// Rows of floats of one length under slots, in chunks. A row never moves while its slot is in use.
//
// At first a chunk has one row of 512 bytes or more, or as many rows as fit into 512 bytes. Later
// chunks have an eighth to a sixteenth of all rows, at most 256 KiB, so at most an eighth is
// unused. A chunk without used rows is freed at once, and goes back to the system if it has 128 KiB
// or more. Other free rows wait for the next vectors, which use those of the lowest chunk first.
class RowChunks {
 public:
  using Slot = std::uint32_t;

  // `length` is 1 to 4096. With factors there is one more float for each row.
  RowChunks(std::uint32_t length, bool with_factors);

  // Returns an unused slot. Throws std::bad_alloc, and std::length_error above 2^32 - 1 slots, and
  // changes nothing then.
  Slot take();
  // The slot must be in use.
  void give_back(Slot slot);

  // For a slot in use. A new slot has no values yet.
  float* row(Slot slot) { return place_of(slot).row; }
  const float* row(Slot slot) const { return place_of(slot).row; }
  float& factor(Slot slot) { return *place_of(slot).factor; }

  std::size_t size() const { return size_; }
  Slot end() const { return end_; }
  // All memory that it holds, with the allocator's overhead.
  std::size_t bytes() const;

  // Calls action(slot, row, factor) for each slot in use, in ascending order; without factors the
  // factor is 0.
  template <class Action>
  void for_each(Action action) const;

 private:
  static constexpr std::size_t kAlignment = 64;
  static constexpr unsigned kWordBits = 64;

  struct Free {
    void operator()(std::byte* memory) const {
      ::operator delete (memory, std::align_val_t{kAlignment});
    }
  };

  // Rows, then factors, then a bit for each row that is in use.
  struct Chunk {
    std::unique_ptr<std::byte, Free> memory;  // nullptr if no row is in use
    std::uint32_t used = 0;
  };

  struct Shape {
    unsigned rows_log2;  // number of its rows
    Slot first;          // its first slot
    std::size_t rows() const { return std::size_t{1} << rows_log2; }
  };

  struct Row {
    float* row;
    float* factor;
    std::uint64_t* word;  // of the bits
    std::uint64_t bit;    // in the word
  };

  std::size_t chunk_of(Slot slot) const;
  Shape shape_of(std::size_t chunk) const;
  std::size_t bytes_of(Shape shape) const;
  float* factors_of(const Chunk& chunk, Shape shape) const;
  std::uint64_t* words_of(const Chunk& chunk, Shape shape) const;
  Row place_of(Slot slot) const;
  Slot mark_free_row(std::size_t chunk, Shape shape);
  void allocate(std::size_t chunk, Shape shape);

  const std::uint32_t length_;
  const bool with_factors_;
  unsigned least_log2_;  // rows of the smallest chunk and of the largest
  unsigned most_log2_;
  std::vector<Chunk> chunks_;
  std::size_t lowest_free_ = 0;  // no chunk below it has a free row
  std::size_t size_ = 0;
  Slot end_ = 0;  // of the last chunk
  std::size_t chunk_bytes_ = 0;
};

template <class Action>
void RowChunks::for_each(Action action) const {
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    const Chunk& chunk = chunks_[c];
    if (chunk.used == 0) continue;
    const Shape shape = shape_of(c);
    const float* rows = reinterpret_cast<const float*>(chunk.memory.get());
    const float* factors = factors_of(chunk, shape);
    const std::uint64_t* words = words_of(chunk, shape);
    for (std::size_t first = 0; first < shape.rows(); first += kWordBits) {
      for (std::uint64_t left = words[first / kWordBits]; left != 0; left &= left - 1) {
        const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(left));
        action(shape.first + static_cast<Slot>(i), rows + i * length_,
               with_factors_ ? factors[i] : 0.0F);
      }
    }
  }
}

}  // namespace magneto::storage
