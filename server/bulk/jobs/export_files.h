#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/bulk/export/aws_file.h"
#include "server/client/objects/object_store.h"
#include "server/formats/aws_manifest.h"

namespace magneto::server::bulk {

// The objects of one export: data files and manifests. A large data file is closed and another
// begun. All functions throw ObjectError and TransferFileError.
class ExportFiles {
 public:
  // Readers and writers hold a file of this size in memory.
  static constexpr std::uint64_t kMostBytes = 16 << 20;

  // `folder_key`: see aws_manifest.h. Incremental exports share one folder for their data.
  ExportFiles(client::Bucket& bucket, std::string root_key, const std::string& name,
              bool is_incremental, formats::AwsFormat format);

  const std::string& folder_key() const { return folder_key_; }

  // Writes the empty object that marks the start of the export.
  void begin();
  // Writes the lines of one thread. Several writers may work at the same time.
  class Writer {
   public:
    explicit Writer(ExportFiles& files) : files_(files) { begin(); }

    // The text to which a line with its end is appended; then call end_line(). The line may go to
    // another file than the previous line.
    std::string& begin_line();
    void end_line();
    // Call this after the last line.
    void finish();

   private:
    void begin();

    ExportFiles& files_;
    std::string key_;
    std::optional<AwsFile> file_;
  };
  formats::AwsFormat format() const { return format_; }
  std::uint64_t items() const { return items_; }
  // Writes the manifests. The summary comes last: if it exists, everything exists.
  void finish(const formats::AwsSummary& summary);
  void remove() { bucket_.remove_written(folder_key_); }

 private:
  std::string data_key() const;
  void put_text(const std::string& name, const std::string& text);
  void put_manifest(const char* name, const std::string& text);

  client::Bucket& bucket_;
  const formats::AwsFormat format_;
  const std::string folder_key_;
  const std::string data_folder_key_;
  std::atomic<std::uint64_t> items_{0};
  std::mutex mutex_;  // guards files_
  std::vector<formats::AwsDataFile> files_;
};

}  // namespace magneto::server::bulk
