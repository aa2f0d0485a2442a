#include "server/transfer/export/aws_writer.h"

#include <utility>

#include "server/transfer/formats/ion/ion_text.h"

namespace magneto::server {

AwsWriter::AwsWriter(const std::string& path, std::atomic<std::uint64_t>& items,
                     std::function<void(AwsDataFile)> done, AwsFormat format)
    : path_(path),
      all_items_(items),
      done_(std::move(done)),
      format_(format),
      file_(path, false),
      pieces_(file_, true, &md5_) {}

void AwsWriter::take(const ScanPage& page) {
  std::uint64_t count = 0;
  for (const api::json::Value item : page.items) {
    if (format_ == AwsFormat::kIon) {
      append_ion_line(item, pieces_.text());
    } else {
      pieces_.text() += "{\"Item\":";
      api::json::append_compact(item, pieces_.text());
      pieces_.text() += "}\n";
    }
    pieces_.end_record();
    ++count;
  }
  items_ += count;
  all_items_.fetch_add(count, std::memory_order_relaxed);
}

void AwsWriter::finish() {
  pieces_.finish();
  file_.keep();
  done_({.path = path_, .format = format_, .items = items_, .md5 = md5_.finish()});
}

}  // namespace magneto::server
