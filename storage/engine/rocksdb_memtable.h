#pragma once

#include <memory>

namespace rocksdb {
class MemTableRepFactory;
}

namespace magneto::storage {

// Keeps what RocksDB has not written into a table yet: a skip list for keys in bytewise order,
// without timestamps. RocksDB's own compares keys by three calls through pointers, a hundred times
// for each write (as Debian builds it, with assertions); this one compares the first 16 bytes in
// place. Writers and readers may run together; none waits for another.
std::shared_ptr<rocksdb::MemTableRepFactory> make_memtable_factory();

}  // namespace magneto::storage
