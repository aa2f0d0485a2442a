#include "server/formats/aws_export.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "api/json/base64.h"
#include "api/json/json_reader.h"
#include "server/formats/byte_source.h"
#include "server/formats/md5.h"
#include "server/formats/messages.h"
#include "server/formats/record_blocks.h"
#include "server/system/file_messages.h"

namespace magneto::server::formats {
namespace {

namespace fs = std::filesystem;
using api::json::Value;

constexpr std::string_view kRoot = "AWSDynamoDB";
constexpr std::string_view kFilesManifest = "manifest-files";
constexpr std::string_view kSummary = "manifest-summary";
constexpr std::size_t kMaxManifestBytes = 64 << 20;

[[noreturn]] void fail(const std::string& path, std::string_view why) {
  throw TransferFileError(messages::kUnreadableSource(path, why));
}

// Refuses a file that is not regular: opening a pipe would block.
void check_file(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status))
    fail(path, system::messages::kNoRegularFile);
}

std::string read_whole(const std::string& path) {
  check_file(path);
  ByteSource source(path);
  std::string text;
  std::string piece(64 << 10, '\0');
  while (const std::size_t size = source.read(piece.data(), piece.size())) {
    text.append(piece, 0, size);
    if (text.size() > kMaxManifestBytes) fail(path, messages::kLongManifest);
  }
  return text;
}

bool has_file(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string manifest_path(const fs::path& folder, std::string_view name) {
  return (folder / name).string() + ".json";
}

std::string read_manifest(const fs::path& folder, std::string_view name) {
  const std::string path = manifest_path(folder, name);
  std::string text = read_whole(path);
  // AWS's documentation calls the file .checksum; real exports have .md5.
  for (const char* const end : {".checksum", ".md5"}) {
    const std::string checksum = (folder / name).string() + end;
    if (!has_file(checksum)) continue;
    std::string told = read_whole(checksum);
    while (told.ends_with('\n')) told.pop_back();
    if (told != md5_base64(text)) fail(path, messages::kOtherMd5);
  }
  return text;
}

// Finds the folder with the manifests.
fs::path export_in(const std::string& folder) {
  if (has_file(manifest_path(folder, kFilesManifest))) return folder;
  std::vector<fs::path> found;
  for (const fs::path& above : {fs::path(folder) / kRoot, fs::path(folder)}) {
    std::error_code error;
    fs::directory_iterator entry(above, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      if (has_file(manifest_path(entry->path(), kFilesManifest))) found.push_back(entry->path());
    }
  }
  if (found.empty()) fail(folder, messages::kNoExport);
  if (found.size() > 1) fail(folder, messages::kSeveralExports);
  return found.front();
}

// A count of items; nullopt if the value is not a whole number.
std::optional<std::uint64_t> count_of(Value value) {
  std::string text;
  if (value) api::json::append_compact(value, text);
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

struct Summary {
  AwsFormat format = AwsFormat::kJson;
  std::optional<std::uint64_t> items;  // in all files, if the summary has it
};

Summary read_summary(const fs::path& folder) {
  const std::string path = manifest_path(folder, kSummary);
  api::json::Document document;
  std::string text = read_manifest(folder, kSummary);
  const Value summary = document.parse(text).value_or(Value());
  if (!summary.is_object()) fail(path, messages::kNoJsonObject);
  const std::string_view format = summary.object().find("outputFormat").string();
  const bool is_ion = format == "ION";
  if (!is_ion && format != "DYNAMODB_JSON") fail(path, messages::kOtherOutputFormat(format));
  // Exports from before 2023 do not have this member; they are full.
  const std::string_view type = summary.object().find("exportType").string();
  if (!type.empty() && type != "FULL_EXPORT") fail(path, messages::kOtherExportType(type));
  return {.format = is_ion ? AwsFormat::kIon : AwsFormat::kJson,
          .items = count_of(summary.object().find("itemCount"))};
}

// Reads an entry of the manifest; nullopt if the line is not one.
std::optional<AwsDataFile> read_entry(const fs::path& folder, std::string& line) {
  api::json::Document document;
  const Value entry = document.parse(line).value_or(Value());
  // Use only the last part of the path, so that no manifest can lead out of the folder.
  const fs::path name = fs::path(entry.object().find("dataFileS3Key").string()).filename();
  const std::string_view md5 = entry.object().find("md5Checksum").string();
  const auto items = count_of(entry.object().find("itemCount"));
  if (name.empty() || name == "." || name == ".." || !api::json::is_base64(md5)) {
    return std::nullopt;
  }
  if (!items) return std::nullopt;
  AwsDataFile file{.path = folder / "data" / name, .items = *items, .md5{}};
  api::json::decode_base64(md5, file.md5);
  return file;
}

std::string md5_of_file(const std::string& path) {
  check_file(path);
  ByteSource source(path, Compression::kNone);
  Md5 md5;
  std::string piece(1 << 20, '\0');
  while (const std::size_t size = source.read(piece.data(), piece.size())) {
    md5.add(std::string_view(piece).substr(0, size));
  }
  return md5.finish();
}

}  // namespace

std::vector<AwsDataFile> read_aws_export(const std::string& folder) {
  const fs::path path = export_in(folder);
  const Summary told = read_summary(path);
  const std::string manifest = manifest_path(path, kFilesManifest);
  const std::string text = read_manifest(path, kFilesManifest);
  std::vector<AwsDataFile> files;
  std::size_t number = 0;
  std::uint64_t found = 0;  // total of items
  for (std::string_view rest = text; !rest.empty();) {
    std::string line(take_line(rest));
    ++number;
    if (line.empty()) continue;
    auto file = read_entry(path, line);
    if (!file) {
      throw TransferFileError(messages::kAtRecord(manifest, number, messages::kNoDataFile));
    }
    file->format = told.format;
    found += file->items;
    files.push_back(*std::move(file));
  }
  if (told.items && found != *told.items) {
    throw TransferFileError(messages::other_item_count(manifest, found, *told.items));
  }
  return files;
}

void check_aws_data_files(const std::vector<AwsDataFile>& files, std::size_t threads) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;  // guards thrown
  std::exception_ptr thrown;
  const auto check = [&] {
    try {
      for (std::size_t at = next++; at < files.size(); at = next++) {
        if (md5_of_file(files[at].path) != files[at].md5) fail(files[at].path, messages::kOtherMd5);
      }
    } catch (...) {
      next = files.size();
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(threads, files.size()); ++i) others.emplace_back(check);
    check();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace magneto::server::formats
