#pragma once

#include <memory>

namespace rocksdb {
class MemTableRepFactory;
}

namespace magneto::storage {

// Keeps what RocksDB has not written into a table yet, for keys in bytewise order without
// timestamps. A write only appends its entry. What was appended is sorted when somebody reads, at
// the latest by the flush, in runs that are merged as they grow: copies in memory serve most reads,
// so most entries are sorted once, in the background. Writers and readers may run together; writers
// never wait, a reader waits for another one's sorting.
std::shared_ptr<rocksdb::MemTableRepFactory> make_memtable_factory();

}  // namespace magneto::storage
