#pragma once

// Throttles RocksDB's own threads, which flush and compact. Linux preempts a busy thread only at
// its next tick, up to 4 ms later, even while another processor is idle (measured: bench/README.md,
// p99 of BatchWriteItem on disk). So the threads yield by themselves.
namespace magneto::storage {

// Marks the calling thread as a background thread.
void enter_background();

// Called between pieces of work of up to a millisecond: lets a waiting thread have the processor.
// Costs a background thread some 70 us of sleep; does nothing on other threads.
void yield_to_foreground();

}  // namespace magneto::storage
