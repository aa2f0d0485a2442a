#include "server/bulk/export/aws_writer.h"

#include <utility>

#include "server/formats/ion/ion_text.h"
#include "server/formats/part_name.h"

namespace magneto::server::bulk {

AwsWriter::AwsWriter(const std::string& path, std::atomic<std::uint64_t>& items,
                     std::function<void(formats::AwsDataFile)> done, formats::AwsFormat format,
                     AwsLines lines)
    : path_(path),
      all_items_(items),
      done_(std::move(done)),
      format_(format),
      lines_(lines),
      file_(path, false, formats::hidden_part(path)),
      pieces_(file_, true, &md5_) {}

void AwsWriter::append(api::json::Value line) {
  std::string& text = pieces_.text();
  if (format_ == formats::AwsFormat::kIon) {
    return lines_ == AwsLines::kItems ? formats::append_ion_line(line, text)
                                      : formats::append_ion_record(line, text);
  }
  if (lines_ == AwsLines::kItems) text += "{\"Item\":";
  api::json::append_compact(line, text);
  text += lines_ == AwsLines::kItems ? "}\n" : "\n";
}

void AwsWriter::take(const ScanPage& page) {
  std::uint64_t count = 0;
  for (const api::json::Value item : page.items) {
    append(item);
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

}  // namespace magneto::server::bulk
