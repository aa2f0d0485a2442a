#pragma once

// Throttles RocksDB's own threads, which flush and compact. Linux takes the processor from a
// thread that works on at its next tick only, up to 4 ms later, even while another processor idles
// (measured: bench/README.md, p99 of BatchWriteItem on disk). So they leave it themselves.
namespace magneto::storage {

// The calling thread works in the background from now on.
void enter_background();

// Called between pieces of work of up to a millisecond: lets a waiting thread have the processor.
// Costs a background thread some 70 us of sleep; nothing on other threads.
void yield_to_foreground();

}  // namespace magneto::storage
