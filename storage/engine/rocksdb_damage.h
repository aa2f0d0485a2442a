#pragma once

#include <string>

namespace magneto::storage {

// Which table in RocksDB's `directory` is to blame that it could not be opened, with its path, and
// why; empty when none is. `cause` is what RocksDB said: it blames the manifest, which names the
// table. A table that no manifest names, left unfinished by a killed process, is no reason.
std::string find_damaged_table(const std::string& directory, const std::string& cause);

}  // namespace magneto::storage
