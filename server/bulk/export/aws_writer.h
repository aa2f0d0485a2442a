#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "server/bulk/export/piece_writer.h"
#include "server/bulk/export/table_scan.h"
#include "server/formats/aws_export.h"

namespace magneto::server::bulk {

// What the lines of a data file are: items, or records of what became of items in a period.
enum class AwsLines : std::uint8_t { kItems, kRecords };

// Writes what one worker reads into a data file of its own, as AWS's exports have them.
class AwsWriter : public PageTaker {
 public:
  // `items` counts those of all workers; `done` gets the whole file, in the thread of the worker.
  AwsWriter(const std::string& path, std::atomic<std::uint64_t>& items,
            std::function<void(formats::AwsDataFile)> done,
            formats::AwsFormat format = formats::AwsFormat::kJson,
            AwsLines lines = AwsLines::kItems);

  void take(const ScanPage& page) override;
  void finish() override;
  std::uint64_t size() const { return file_.size(); }  // about: some more is not written yet

 private:
  void append(api::json::Value line);

  const std::string path_;
  std::atomic<std::uint64_t>& all_items_;
  const std::function<void(formats::AwsDataFile)> done_;
  const formats::AwsFormat format_;
  const AwsLines lines_;
  formats::TargetFile file_;
  formats::Md5 md5_;
  PieceWriter pieces_;
  std::uint64_t items_ = 0;
};

}  // namespace magneto::server::bulk
