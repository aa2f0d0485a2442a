#include "server/bulk/jobs/export_files.h"

#include <utility>

#include "server/formats/part_name.h"
#include "server/formats/target_file.h"

namespace magneto::server::bulk {

void ExportFiles::Writer::begin() {
  key_ = files_.data_key();
  const auto done = [this](formats::AwsDataFile file) {
    const std::lock_guard lock(files_.mutex_);
    files_.files_.push_back(std::move(file));
  };
  file_.emplace(files_.bucket_.path_to_write(key_), files_.format_, done);
}

std::string& ExportFiles::Writer::begin_line() {
  if (file_->size() >= kMostBytes) {
    finish();
    begin();
  }
  return file_->text();
}

void ExportFiles::Writer::end_line() {
  file_->end_line();
  files_.items_.fetch_add(1, std::memory_order_relaxed);
}

void ExportFiles::Writer::finish() {
  file_->finish();
  files_.bucket_.put(key_);
}

ExportFiles::ExportFiles(client::Bucket& bucket, std::string root_key, const std::string& name,
                         bool is_incremental, formats::AwsFormat format)
    : bucket_(bucket),
      format_(format),
      folder_key_(root_key + "/" + name),
      data_folder_key_((is_incremental ? std::move(root_key) : folder_key_) + "/data") {}

std::string ExportFiles::data_key() const {
  return data_folder_key_ + "/" + formats::aws_data_file_name(format_);
}

void ExportFiles::begin() { put_text("_started", {}); }

void ExportFiles::finish(const formats::AwsSummary& summary) {
  put_manifest(formats::kAwsFilesManifest, formats::aws_files_manifest(files_, data_folder_key_));
  bucket_.settle(data_folder_key_);
  bucket_.settle(folder_key_);
  put_manifest(formats::kAwsSummary, formats::aws_summary_manifest(summary, files_, folder_key_));
}

void ExportFiles::put_text(const std::string& name, const std::string& text) {
  const std::string key = folder_key_ + "/" + name;
  const std::string path = bucket_.path_to_write(key);
  formats::TargetFile file(path, false, formats::hidden_part(path));
  file.append(text);
  file.keep();
  bucket_.put(key);
}

void ExportFiles::put_manifest(const char* name, const std::string& text) {
  for (const auto& [file, content] : formats::aws_manifest_files(name, text))
    put_text(file, content);
}

}  // namespace magneto::server::bulk
