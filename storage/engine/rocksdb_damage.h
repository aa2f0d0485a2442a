#pragma once

#include <string>

namespace magneto::storage {

// Which table in RocksDB's `directory` is to blame that it could not be opened, with its path, and
// why; empty when none is. RocksDB itself blames the manifest, which names the table. `cause` is
// what RocksDB said.
std::string find_damaged_table(const std::string& directory, const std::string& cause);

}  // namespace magneto::storage
