#pragma once

#include <string>
#include <string_view>

#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/engine/computed_files.h"
#include "storage/engine/engine.h"

namespace magneto::storage {

// Keeps the vectors of vector indexes over a clean close, in files beside a store on a local disk.
// Other stores have no files, and their indexes read the table's items again. Thread-safe.
class VectorFiles final : public TableFollowUp {
 public:
  VectorFiles(Engine& engine, const Catalog& catalog, Worker& jobs);

  // Called once, before any write, with the id of the close before this start; empty if there was
  // no clean one. Then the files are removed in the background.
  void open(std::string_view last_close);
  // Called after all writers. Writes the vectors that are in memory for at most some seconds, and
  // removes all files that are not right. Returns the id of this close, empty if there are no
  // files.
  std::string close() noexcept;

  void resume() override {}
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& table) override;

 private:
  const Catalog& catalog_;
  Worker& jobs_;
  const ComputedFiles* const files_;  // nullptr: no local disk
};

}  // namespace magneto::storage
