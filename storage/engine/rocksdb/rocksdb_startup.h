#pragma once

namespace magneto::storage {

// Runs the constructors of RocksDB's static objects, hundreds of tables of option names among them.
// CMakeLists.txt keeps them from running before main(), where they took a fifth of the time to
// start a server that may never open a directory. To be called before anything else of RocksDB;
// calls after the first do nothing. Thread-safe.
void initialize_rocksdb();

}  // namespace magneto::storage
