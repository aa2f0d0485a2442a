#include "storage/background/vector_files.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/engine/local_disk.h"
#include "storage/index/vector_index.h"

namespace magneto::storage {
namespace {

constexpr std::chrono::seconds kLongestClose{2};
constexpr std::size_t kMostLoadedAtClose = std::size_t{256} << 20;  // bytes

void for_each_vector_index(const Table& table,
                           absl::FunctionRef<void(const Index&, VectorIndex&)> action) {
  for (const auto& index : table.indexes) {
    if (index->schema.kind != IndexKind::kVector) continue;
    action(*index, static_cast<VectorIndex&>(*index->store));
  }
}

}  // namespace

VectorFiles::VectorFiles(Engine& engine, const Catalog& catalog, Worker& jobs)
    : catalog_(catalog),
      jobs_(jobs),
      files_(engine.local_disk() == nullptr ? nullptr : &engine.local_disk()->computed_files()) {}

void VectorFiles::open(std::string_view last_close) {
  if (files_ == nullptr) return;
  if (last_close.empty()) {
    jobs_.post([this](const std::stop_token&) { files_->keep_only({}); });
    return;
  }
  for (const TablePtr& table : catalog_.tables()) {
    for_each_vector_index(*table, [&](const Index& /*index*/, VectorIndex& vectors) {
      vectors.follow_file(last_close);
    });
  }
}

std::string VectorFiles::close() noexcept {
  if (files_ == nullptr) return {};
  const auto end = std::chrono::steady_clock::now() + kLongestClose;
  std::vector<std::string> kept;
  std::string id;
  try {
    id = ComputedFiles::new_id();
    for (const TablePtr& table : catalog_.tables()) {
      for_each_vector_index(*table, [&](const Index& index, VectorIndex& vectors) {
        const auto entries = static_cast<std::size_t>(
            std::max<std::int64_t>(index.statistics->item_count.load(), 0));
        const bool may_load = entries <= kMostLoadedAtClose / vectors.bytes_of_a_vector();
        if (vectors.save(table->schema, table->partitions, may_load, id, end)) {
          kept.push_back(vectors.file_name());
        }
      });
    }
  } catch (const std::exception&) {
    // Without their files, the next process reads the vectors from the items.
    kept.clear();
  }
  files_->keep_only(kept);
  return kept.empty() ? std::string() : id;
}

void VectorFiles::follow(const Catalog::Edited& edited) {
  if (files_ == nullptr) return;
  for_each_vector_index(*edited.previous, [&](const Index& index, VectorIndex& vectors) {
    if (index.dropped->load()) files_->remove(vectors.file_name());
  });
}

void VectorFiles::drop(const Table& table) {
  if (files_ == nullptr) return;
  for_each_vector_index(table, [&](const Index& /*index*/, VectorIndex& vectors) {
    files_->remove(vectors.file_name());
  });
}

}  // namespace magneto::storage
