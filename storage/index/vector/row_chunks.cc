#include "storage/index/vector/row_chunks.h"

#include <algorithm>
#include <utility>

#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kLeastChunk = 512;  // bytes
constexpr std::size_t kGreatestChunk = std::size_t{256} << 10;
// The allocator's overhead for an aligned chunk: its own word and the rest of the alignment.
constexpr std::size_t kAllocatorBytes = 32;

unsigned rows_log2(std::size_t chunk_bytes, std::size_t row_bytes) {
  const std::size_t rows = std::max<std::size_t>(chunk_bytes / row_bytes, 1);
  return static_cast<unsigned>(std::bit_width(rows)) - 1;
}

}  // namespace

RowChunks::RowChunks(std::uint32_t length, bool with_factors)
    : length_(length),
      with_factors_(with_factors),
      least_log2_(rows_log2(kLeastChunk, length * sizeof(float))),
      most_log2_(rows_log2(kGreatestChunk, length * sizeof(float))) {}

// A unit is the smallest chunk. The first 16 chunks have one unit, the next eight have two, the
// next eight have four, and so on. So chunk 8 * g + u / 2^g holds unit u, where 2^g units are a
// chunk.
std::size_t RowChunks::chunk_of(Slot slot) const {
  const Slot unit = slot >> least_log2_;
  const auto bits = static_cast<unsigned>(std::bit_width(unit));
  const unsigned growth = std::min(bits > 4 ? bits - 4 : 0, most_log2_ - least_log2_);
  return 8 * growth + (unit >> growth);
}

RowChunks::Shape RowChunks::shape_of(std::size_t chunk) const {
  const std::size_t growth =
      std::min<std::size_t>(chunk < 16 ? 0 : (chunk - 8) / 8, most_log2_ - least_log2_);
  const auto rows_log2 = least_log2_ + static_cast<unsigned>(growth);
  return {rows_log2, narrow<Slot>((chunk - 8 * growth) << rows_log2)};
}

float* RowChunks::factors_of(const Chunk& chunk, Shape shape) const {
  return reinterpret_cast<float*>(chunk.memory.get()) + shape.rows() * length_;
}

std::uint64_t* RowChunks::words_of(const Chunk& chunk, Shape shape) const {
  const std::size_t words = (shape.rows() + kWordBits - 1) / kWordBits;
  return reinterpret_cast<std::uint64_t*>(chunk.memory.get() + bytes_of(shape)) - words;
}

std::size_t RowChunks::bytes_of(Shape shape) const {
  const std::size_t floats = shape.rows() * (std::size_t{length_} + (with_factors_ ? 1 : 0));
  const std::size_t words = (shape.rows() + kWordBits - 1) / kWordBits;
  return ((floats + 1) / 2 + words) * sizeof(std::uint64_t);
}

RowChunks::Row RowChunks::place_of(Slot slot) const {
  const std::size_t c = chunk_of(slot);
  const Shape shape = shape_of(c);
  const std::size_t i = slot - shape.first;
  return {reinterpret_cast<float*>(chunks_[c].memory.get()) + i * length_,
          factors_of(chunks_[c], shape) + (with_factors_ ? i : 0),
          words_of(chunks_[c], shape) + i / kWordBits, std::uint64_t{1} << (i % kWordBits)};
}

void RowChunks::allocate(std::size_t chunk, Shape shape) {
  const std::size_t size = bytes_of(shape);
  Chunk& fresh = chunks_[chunk];
  fresh.memory.reset(static_cast<std::byte*>(::operator new (size, std::align_val_t{kAlignment})));
  chunk_bytes_ += size + kAllocatorBytes;
  const std::size_t words = (shape.rows() + kWordBits - 1) / kWordBits;
  std::fill_n(words_of(fresh, shape), words, std::uint64_t{0});
}

RowChunks::Slot RowChunks::mark_free_row(std::size_t chunk, Shape shape) {
  std::uint64_t* word = words_of(chunks_[chunk], shape);
  std::size_t first = 0;
  for (; *word == ~std::uint64_t{0}; ++word) first += kWordBits;
  const auto bit = static_cast<unsigned>(std::countr_one(*word));
  *word |= std::uint64_t{1} << bit;
  ++chunks_[chunk].used;
  return shape.first + static_cast<Slot>(first) + bit;
}

RowChunks::Slot RowChunks::take() {
  while (lowest_free_ < chunks_.size() &&
         chunks_[lowest_free_].used == shape_of(lowest_free_).rows()) {
    ++lowest_free_;
  }
  const Shape shape = shape_of(lowest_free_);
  if (lowest_free_ == chunks_.size()) {
    const auto end = narrow<Slot>(shape.first + shape.rows());
    chunks_.emplace_back();
    end_ = end;
  }
  if (chunks_[lowest_free_].memory == nullptr) allocate(lowest_free_, shape);
  ++size_;
  return mark_free_row(lowest_free_, shape);
}

void RowChunks::give_back(Slot slot) {
  const std::size_t c = chunk_of(slot);
  const Row place = place_of(slot);
  *place.word &= ~place.bit;
  --size_;
  lowest_free_ = std::min(lowest_free_, c);
  if (--chunks_[c].used != 0) return;
  chunks_[c].memory.reset();
  chunk_bytes_ -= bytes_of(shape_of(c)) + kAllocatorBytes;
  while (!chunks_.empty() && chunks_.back().used == 0) {
    chunks_.pop_back();
    end_ = shape_of(chunks_.size()).first;
  }
  if (chunks_.empty()) chunks_.shrink_to_fit();
}

std::size_t RowChunks::bytes() const {
  return sizeof(*this) + chunks_.capacity() * sizeof(Chunk) + chunk_bytes_;
}

}  // namespace magneto::storage
