// The file of a vector index: a head, then the records of its vectors (vector/vector_records.h).
//
//   head := dimensions:4 function:4 filters:4     the first block
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "storage/engine/computed_files.h"
#include "storage/index/vector/vector_records.h"
#include "storage/index/vector_index.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;

}  // namespace

std::string VectorIndex::file_name() const {
  return "vectors-" + std::to_string(table_number_) + "-" + std::to_string(schema_.number);
}

bool VectorIndex::is_from_file() const {
  const auto lock = lock_to_read();
  return is_from_file_;
}

std::string VectorIndex::file_head() const {
  const std::array<std::uint32_t, 3> head = {schema_.vector.dimensions,
                                             static_cast<std::uint32_t>(schema_.vector.function),
                                             narrow<std::uint32_t>(count_filters())};
  return {reinterpret_cast<const char*>(head.data()), sizeof head};
}

// nullptr if the file is not whole.
std::unique_ptr<IndexedVectors> VectorIndex::read_file(const std::string& close,
                                                       Effort& effort) const {
  using Result = ComputedFiles::Reader::Result;
  const auto reader = files_->open(file_name(), close);
  if (reader == nullptr) return nullptr;
  if (reader->next() != Result::kBlock || reader->block() != file_head()) return nullptr;
  auto vectors = no_vectors();
  VectorRecordReader records(schema_.vector.dimensions, count_filters());
  Result result = reader->next();
  for (; result == Result::kBlock; result = reader->next()) {
    std::string_view block = reader->block();
    effort.spend(block.size() / sizeof(float));
    while (!block.empty()) {
      if (!records.take(block)) return nullptr;
      vectors->put(records.entry());
    }
  }
  return result == Result::kEnd ? std::move(vectors) : nullptr;
}

bool VectorIndex::write_file(std::string_view close,
                             std::chrono::steady_clock::time_point end) const {
  const auto writer = files_->create(file_name(), close, vectors_->bytes());
  if (writer == nullptr || !writer->add(file_head())) return false;
  std::string block;
  block.reserve(kBlock + kBlock / 2);
  const auto add = [&] {
    if (std::chrono::steady_clock::now() > end || !writer->add(block)) return false;
    block.clear();
    return true;
  };
  const bool is_whole = vectors_->for_each([&](const IndexedVectors::Entry& entry) {
    append_vector_record(entry, block);
    return block.size() < kBlock || add();
  });
  return is_whole && (block.empty() || add()) && writer->finish();
}

bool VectorIndex::save(const TableSchema& table, const PartitionMap& items, bool may_load,
                       std::string_view close, std::chrono::steady_clock::time_point end) {
  if (files_ == nullptr) return false;
  if (!file_.close.empty() && file_.is_right) {
    return files_->carry_over(file_name(), file_.close, close);
  }
  if (!file_.close.empty() && may_load) {
    Effort effort;
    load(table, items, effort);
  }
  if (vectors_ == nullptr || vectors_->size() == 0) return false;
  return write_file(close, end);
}

}  // namespace magneto::storage
