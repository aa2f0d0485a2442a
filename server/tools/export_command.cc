#include "server/tools/export_command.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "server/bulk/export/aws_file.h"
#include "server/bulk/export/csv_columns.h"
#include "server/bulk/export/messages.h"
#include "server/bulk/export/piece_writer.h"
#include "server/bulk/export/table_scan.h"
#include "server/bulk/import/target_table.h"
#include "server/bulk/operations.h"
#include "server/formats/aws_export_folder.h"
#include "server/formats/messages.h"
#include "server/formats/plain_json.h"
#include "server/formats/record_blocks.h"
#include "server/formats/target_file.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kSegmentsForWorker = 4;
constexpr std::size_t kMostShownOfItem = 1'000;  // of an item, in a message

[[noreturn]] void refuse(std::string_view format, std::string_view type, Value item) {
  std::string text;
  api::json::append_compact(item, text);
  throw formats::TransferFileError(
      formats::messages::kInexpressible(format, type, text.substr(0, kMostShownOfItem)));
}

formats::AwsTable read_aws_table(std::string answer) {
  api::json::Document document;
  const Value table = document.parse(answer).value_or(Value()).object().find("Table");
  return {.arn = std::string(table.object().find("TableArn").string()),
          .id = std::string(table.object().find("TableId").string())};
}

// A folder that only this user can write to, deleted with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const std::string folder = std::filesystem::temp_directory_path();
    path_ = folder + "/magneto-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) {
      throw formats::TransferFileError(
          formats::messages::kUnwritableTarget(folder, std::generic_category().message(errno)));
    }
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Export {
 public:
  Export(const ExportOptions& options, client::Endpoint& endpoint, bulk::ProgressLine& progress)
      : options_(options),
        endpoint_(endpoint),
        progress_(progress),
        gzip_(options.out.ends_with(".gz")) {}

  void run() {
    if (options_.format == formats::Format::kAws) {
      write_aws();
    } else {
      formats::TargetFile file(options_.out, options_.force);
      if (options_.format == formats::Format::kCsv) {
        write_csv(file);
      } else {
        scan([&] { return std::make_unique<LineWriter>(*this, file); });
      }
      bulk::PieceWriter(file, gzip_).finish();
      file.keep();
    }
    progress_.print(bulk::messages::export_done(items_, options_.table, options_.out, seconds()));
  }

 private:
  // Writes one line for each item.
  class LineWriter : public bulk::PageTaker {
   public:
    LineWriter(Export& all, formats::TargetFile& file) : all_(all), pieces_(file, all.gzip_) {}

    void take(const bulk::ScanPage& page) override {
      std::uint64_t count = 0;
      for (const Value item : page.items) {
        append(item);
        pieces_.text() += '\n';
        pieces_.end_record();
        ++count;
      }
      all_.items_.fetch_add(count, std::memory_order_relaxed);
    }
    void finish() override { pieces_.flush(); }

   private:
    void append(Value item) {
      if (all_.options_.format == formats::Format::kTypedJson) {
        api::json::append_compact(item, pieces_.text());
        return;
      }
      const std::string_view type = formats::append_plain_item(item, pieces_.text());
      if (!type.empty()) refuse("json-plain", type, item);
    }

    Export& all_;
    bulk::PieceWriter pieces_;
  };

  // Writes lines of typed JSON and collects their columns.
  class ColumnFinder : public bulk::PageTaker {
   public:
    ColumnFinder(Export& all, formats::TargetFile& items) : all_(all), pieces_(items, false) {}

    void take(const bulk::ScanPage& page) override {
      std::uint64_t count = 0;
      for (const Value item : page.items) {
        types_.see(item);
        api::json::append_compact(item, pieces_.text());
        pieces_.text() += '\n';
        pieces_.end_record();
        ++count;
      }
      all_.items_.fetch_add(count, std::memory_order_relaxed);
    }
    void finish() override {
      pieces_.flush();
      const std::lock_guard lock(all_.mutex_);
      all_.types_.see(types_);
    }

   private:
    Export& all_;
    bulk::PieceWriter pieces_;
    bulk::CsvColumnTypes types_;
  };

  // Writes one data file of AWS's format for each worker.
  class AwsPages : public bulk::PageTaker {
   public:
    AwsPages(Export& all, const std::string& path, bulk::AwsFile::Done done)
        : all_(all), file_(path, formats::AwsFormat::kJson, std::move(done)) {}

    void take(const bulk::ScanPage& page) override {
      std::uint64_t count = 0;
      for (const Value item : page.items) {
        file_.text() += "{\"Item\":";
        api::json::append_compact(item, file_.text());
        file_.text() += "}\n";
        file_.end_line();
        ++count;
      }
      all_.items_.fetch_add(count, std::memory_order_relaxed);
    }
    void finish() override { file_.finish(); }

   private:
    Export& all_;
    bulk::AwsFile file_;
  };

  template <typename MakeTaker>
  void scan(const MakeTaker& make_taker) {
    bulk::scan_table({.table = options_.table,
                      .consistent = options_.consistent,
                      .workers = options_.workers,
                      .segments = options_.workers * kSegmentsForWorker},
                     endpoint_, make_taker, [this] { tell_progress(); });
  }

  void write_aws() {
    formats::AwsTable table;
    std::string request = bulk::table_request(options_.table);
    const client::Outcome outcome = endpoint_.call("DescribeTable", request);
    if (outcome.succeeded()) table = read_aws_table(outcome.body);
    formats::AwsExportFolder folder(options_.out);
    std::vector<formats::AwsDataFile> files;
    const auto done = [&](formats::AwsDataFile file) {
      const std::lock_guard lock(mutex_);
      files.push_back(std::move(file));
    };
    scan([&] { return std::make_unique<AwsPages>(*this, folder.new_data_path(), done); });
    folder.keep(table, files);
  }

  void write_csv(formats::TargetFile& file) {
    const formats::KeyNames keys = bulk::open_target_table(endpoint_, options_.table, {});
    std::optional<TemporaryFolder> temporary;
    if (options_.out == "-") temporary.emplace();
    const std::string path = temporary ? temporary->path() + "/" : options_.out + ".";
    formats::TargetFile items(path + "items", true);
    scan([&] { return std::make_unique<ColumnFinder>(*this, items); });
    write_rows(types_.columns(keys), items.part(), file);
  }

  void write_rows(const formats::CsvColumns& columns, const std::string& path,
                  formats::TargetFile& file) {
    bulk::PieceWriter pieces(file, gzip_);
    // Without items there are no columns, and then no first line is written.
    if (!columns.empty()) formats::append_csv_columns(columns, pieces.text());
    std::uint64_t rows = 0;
    formats::ByteSource source(path);
    formats::RecordBlocks blocks(source, false);
    api::json::Document document;
    std::string line;
    while (const auto block = blocks.next()) {
      for (std::string_view rest = block->text; !rest.empty();) {
        line.assign(formats::take_line(rest));
        const std::optional<Value> item = document.parse(line);
        if (!item)
          throw formats::TransferFileError(
              formats::messages::kAtRecord(path, rows + 1, formats::messages::kChanged));
        if (!formats::append_csv_item(columns, *item, pieces.text())) refuse("csv", "?", *item);
        pieces.end_record();
        ++rows;
      }
    }
    if (rows != items_) {
      throw formats::TransferFileError(
          formats::messages::kAtRecord(path, rows + 1, formats::messages::kChanged));
    }
    pieces.flush();
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void tell_progress() {
    if (!progress_.is_due()) return;
    progress_.update(bulk::messages::export_progress(
        items_, static_cast<double>(items_) / std::max(seconds(), 0.001)));
  }

  const ExportOptions& options_;
  client::Endpoint& endpoint_;
  bulk::ProgressLine& progress_;
  const bool gzip_;
  std::atomic<std::uint64_t> items_{0};
  std::mutex mutex_;  // guards types_, and the list of AWS data files
  bulk::CsvColumnTypes types_;
  const Clock::time_point start_ = Clock::now();
};

}  // namespace

void export_items(const ExportOptions& options, client::Endpoint& endpoint,
                  bulk::ProgressLine& progress) {
  Export(options, endpoint, progress).run();
}

}  // namespace magneto::server::tools
