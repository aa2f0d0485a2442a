#include "server/tools/copy/table_copy.h"

#include <memory>

#include "server/bulk/export/table_scan.h"
#include "server/tools/copy/request_batch.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;

// An eventually consistent read of 4 KB takes half a unit.
constexpr double kBytesOfReadUnit = 8192;

class ItemCopier : public bulk::PageTaker {
 public:
  ItemCopier(const CopyContext& context, const std::string& table,
             std::atomic<std::uint64_t>& copied)
      : context_(context),
        table_(table),
        copied_(copied),
        target_(context.target.another()),
        batch_(*target_, table, context.write_limit, context_.stop) {}

  void take(const bulk::ScanPage& page) override {
    ItemDigest read;
    for (const Value item : page.items) {
      canonical_.clear();
      append_canonical_item(item, canonical_);
      const ItemHash hash = hash_of(canonical_);
      read.add(hash);
      batch_.put(item, hash);
    }
    batch_.send();
    const ItemDigest written = batch_.take_written();
    context_.states.change_table(table_, [&](TableState& state) {
      SegmentState& segment = state.segments.at(page.segment);
      segment.is_done = page.last_key.empty();
      segment.next_key = page.last_key;
      segment.read.add(read);
      segment.written.add(written);
    });
    copied_.fetch_add(read.count(), std::memory_order_relaxed);
    const double estimate = static_cast<double>(page.bytes) / kBytesOfReadUnit;
    context_.read_limit.spend(page.units > 0 ? page.units : estimate, context_.stop);
  }

 private:
  const CopyContext& context_;
  const std::string& table_;
  std::atomic<std::uint64_t>& copied_;
  const std::unique_ptr<client::Endpoint> target_;
  RequestBatch batch_;
  std::string canonical_;
};

}  // namespace

void copy_items(const CopyContext& context, const std::string& table,
                std::atomic<std::uint64_t>& copied, const std::function<void()>& meanwhile) {
  const TableState state = context.states.table(table);
  bulk::TableScan scan{.table = table,
                       // The scan must see changes that were in the stream before its position was
                       // taken.
                       .consistent = context.options.follow,
                       .workers = state.segments.size(),
                       .segments = state.segments.size(),
                       .filter = context.options.filter,
                       .asks_for_units = context.read_limit.is_set()};
  for (const SegmentState& segment : state.segments) {
    scan.starts.push_back({.is_done = segment.is_done, .key = segment.next_key});
  }
  bulk::scan_table(
      scan, context.source, [&] { return std::make_unique<ItemCopier>(context, table, copied); },
      meanwhile);
}

}  // namespace magneto::server::tools
