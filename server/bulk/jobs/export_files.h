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

// The objects of one export: data files, each begun anew when it is large, and the manifests. All throw
// ObjectError and TransferFileError.
class ExportFiles {
 public:
  // Whoever reads or writes a file of this size holds it in memory.
  static constexpr std::uint64_t kMostBytes = 16 << 20;

  // `folder_key`: aws_manifest.h. Those of incremental exports share one folder for their data.
  ExportFiles(client::Bucket& bucket, std::string root_key, const std::string& name,
              bool is_incremental, formats::AwsFormat format);

  const std::string& folder_key() const { return folder_key_; }

  // The empty object that tells of its beginning.
  void begin();
  // The lines of one thread; several may write at the same time.
  class Writer {
   public:
    explicit Writer(ExportFiles& files) : files_(files) { begin(); }

    // For a line with its end, to be appended and followed by end_line(). It may be of another file than
    // the line before.
    std::string& begin_line();
    void end_line();
    // After the last line.
    void finish();

   private:
    void begin();

    ExportFiles& files_;
    std::string key_;
    std::optional<AwsFile> file_;
  };
  formats::AwsFormat format() const { return format_; }
  std::uint64_t items() const { return items_; }
  // The manifests; the summary comes last: where it is, all is.
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
  std::mutex mutex_;  // guards what follows
  std::vector<formats::AwsDataFile> files_;
};

}  // namespace magneto::server::bulk
