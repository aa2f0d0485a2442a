#include "server/transfer/export/export_command.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include "server/body_encoding.h"
#include "server/transfer/export/csv_columns.h"
#include "server/transfer/export/messages.h"
#include "server/transfer/export/table_scan.h"
#include "server/transfer/formats/messages.h"
#include "server/transfer/formats/plain_json.h"
#include "server/transfer/formats/record_blocks.h"
#include "server/transfer/formats/target_file.h"
#include "server/transfer/import/target_table.h"

namespace magneto::server {
namespace {

using api::json::Value;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPieceBytes = 1 << 20;
constexpr std::size_t kSegmentsForWorker = 4;
constexpr std::size_t kMostShown = 1'000;  // of an item, in a message

// Gathers text and appends it to a file in large pieces; a piece of a compressed file is a member of
// it (RFC 1952, 2.2), so that each worker compresses its own.
class PieceWriter {
 public:
  PieceWriter(TargetFile& file, bool gzip) : file_(file), gzip_(gzip) {}

  // Text is appended here, followed by end_record().
  std::string& text() { return text_; }
  void end_record() {
    if (text_.size() >= kPieceBytes) flush();
  }

  void flush() {
    if (text_.empty()) return;
    if (!gzip_) {
      file_.append(text_);
    } else {
      if (!deflate_body(Coding::kGzip, text_, compressed_)) throw std::bad_alloc();
      file_.append(compressed_);
    }
    text_.clear();
  }

 private:
  TargetFile& file_;
  const bool gzip_;
  std::string text_;
  std::string compressed_;
};

[[noreturn]] void refuse(std::string_view format, std::string_view type, Value item) {
  std::string text;
  api::json::append_compact(item, text);
  throw TransferFileError(messages::inexpressible(format, type, text.substr(0, kMostShown)));
}

class Export {
 public:
  Export(const ExportOptions& options, Endpoint& endpoint, ProgressLine& progress)
      : options_(options),
        endpoint_(endpoint),
        progress_(progress),
        gzip_(options.out.ends_with(".gz")),
        file_(options.out, options.force) {}

  void run() {
    if (options_.format == Format::kCsv) {
      write_csv();
    } else {
      scan([this] { return std::make_unique<LineWriter>(*this); });
    }
    file_.keep();
    progress_.print(messages::export_done(items_, options_.table, options_.out, seconds()));
  }

 private:
  // One line for each item.
  class LineWriter : public PageTaker {
   public:
    explicit LineWriter(Export& all) : all_(all), pieces_(all.file_, all.gzip_) {}

    void take(api::json::Array items) override {
      std::uint64_t count = 0;
      for (const Value item : items) {
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
      if (all_.options_.format == Format::kTypedJson) {
        api::json::append_compact(item, pieces_.text());
        return;
      }
      const std::string_view type = append_plain_item(item, pieces_.text());
      if (!type.empty()) refuse("json-plain", type, item);
    }

    Export& all_;
    PieceWriter pieces_;
  };

  // Lines of typed JSON, of which the columns are gathered.
  class ColumnFinder : public PageTaker {
   public:
    ColumnFinder(Export& all, TargetFile& items) : all_(all), pieces_(items, false) {}

    void take(api::json::Array items) override {
      std::uint64_t count = 0;
      for (const Value item : items) {
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
    PieceWriter pieces_;
    CsvColumnTypes types_;
  };

  template <typename MakeTaker>
  void scan(const MakeTaker& make_taker) {
    scan_table({.table = options_.table,
                .consistent = options_.consistent,
                .workers = options_.workers,
                .segments = options_.workers * kSegmentsForWorker},
               endpoint_, make_taker, [this] { tell_progress(); });
  }

  void write_csv() {
    const KeyNames keys = open_target_table(endpoint_, options_.table, {});
    const std::string path = options_.out == "-" ? std::filesystem::temp_directory_path().string() +
                                                       "/magneto-" + std::to_string(::getpid())
                                                 : options_.out;
    TargetFile items(path + ".items", true);
    scan([&] { return std::make_unique<ColumnFinder>(*this, items); });
    write_rows(types_.columns(keys), items.part());
  }

  void write_rows(const CsvColumns& columns, const std::string& path) {
    PieceWriter pieces(file_, gzip_);
    append_csv_columns(columns, pieces.text());
    ByteSource source(path);
    RecordBlocks blocks(source, false);
    api::json::Document document;
    std::string line;
    while (const auto block = blocks.next()) {
      for (std::string_view rest = block->text; !rest.empty();) {
        line.assign(take_line(rest));
        const Value item = document.parse(line).value_or(Value());
        if (!append_csv_item(columns, item, pieces.text())) refuse("csv", "?", item);
        pieces.end_record();
      }
    }
    pieces.flush();
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void tell_progress() {
    if (!progress_.is_due()) return;
    progress_.update(messages::export_progress(
        items_, static_cast<double>(items_) / std::max(seconds(), 0.001)));
  }

  const ExportOptions& options_;
  Endpoint& endpoint_;
  ProgressLine& progress_;
  const bool gzip_;
  TargetFile file_;
  std::atomic<std::uint64_t> items_{0};
  std::mutex mutex_;  // guards types_
  CsvColumnTypes types_;
  const Clock::time_point start_ = Clock::now();
};

}  // namespace

void export_items(const ExportOptions& options, Endpoint& endpoint, ProgressLine& progress) {
  Export(options, endpoint, progress).run();
}

}  // namespace magneto::server
