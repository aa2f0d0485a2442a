#pragma once

#include <memory>

namespace rocksdb {
class MemTableRepFactory;
}

namespace magneto::storage {

// The memory table for writes that RocksDB has not yet written into a table, for keys in bytewise
// order without timestamps. A write only appends its entry. A read sorts the appended entries, the
// flush at the latest, in runs that are merged as they grow. Copies in memory serve most reads, so
// most entries are sorted once, in the background. Writers and readers may run together. Writers
// never wait; a reader waits while another one sorts.
std::shared_ptr<rocksdb::MemTableRepFactory> make_memtable_factory();

}  // namespace magneto::storage
