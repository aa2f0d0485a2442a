#pragma once

namespace magneto::storage {

// Runs the constructors of RocksDB's static objects, among them hundreds of tables of option names.
// CMakeLists.txt keeps them from running before main(): there they took a fifth of the start time
// of a server that may never open a directory. Call this before any other use of RocksDB; later
// calls do nothing. Thread-safe.
void initialize_rocksdb();

}  // namespace magneto::storage
