#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "server/transfer/export/piece_writer.h"
#include "server/transfer/export/table_scan.h"
#include "server/transfer/formats/aws_export.h"

namespace magneto::server {

// Writes what one worker reads into a data file of its own, as AWS's exports have them.
class AwsWriter : public PageTaker {
 public:
  // `items` counts those of all workers; `done` gets the whole file, in the thread of the worker.
  AwsWriter(const std::string& path, std::atomic<std::uint64_t>& items,
            std::function<void(AwsDataFile)> done, AwsFormat format = AwsFormat::kJson);

  void take(const ScanPage& page) override;
  void finish() override;

 private:
  const std::string path_;
  std::atomic<std::uint64_t>& all_items_;
  const std::function<void(AwsDataFile)> done_;
  const AwsFormat format_;
  TargetFile file_;
  Md5 md5_;
  PieceWriter pieces_;
  std::uint64_t items_ = 0;
};

}  // namespace magneto::server
