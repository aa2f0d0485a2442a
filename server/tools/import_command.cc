#include "server/tools/import_command.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "server/bulk/import/import_pipeline.h"
#include "server/bulk/import/json_blocks.h"
#include "server/bulk/import/json_look.h"
#include "server/bulk/import/messages.h"
#include "server/bulk/import/target_table.h"
#include "server/formats/aws_export.h"
#include "server/formats/byte_source.h"
#include "server/formats/csv.h"
#include "server/formats/ion/ion_blocks.h"
#include "server/formats/messages.h"
#include "storage/engine/processors.h"

namespace magneto::server::tools {
namespace {

using Clock = std::chrono::steady_clock;

// A reader is some five times as fast as a sender.
constexpr std::size_t kSendersForReader = 4;

class Import {
 public:
  Import(const ImportOptions& options, bulk::ProgressLine& progress)
      : options_(options), progress_(progress), errors_(options.errors_file, options.max_errors) {}

  bool run(client::Endpoint& endpoint) {
    // Do this before anything is changed, since it finds missing and damaged files.
    find_sources();
    measure_files();
    const formats::KeyNames keys =
        bulk::open_target_table(endpoint, options_.table, options_.create_from);
    const auto make_reader = [&] {
      return is_csv() ? bulk::make_csv_reader(keys)
                      : bulk::make_json_reader(options_.format, keys,
                                               options_.format != formats::Format::kAws);
    };
    bulk::ImportPipeline pipeline(
        endpoint, options_.table,
        {.readers = 1 + (options_.workers - 1) / kSendersForReader, .senders = options_.workers},
        make_reader, errors_, put_);
    try {
      for (const Source& source : sources_) feed(pipeline, source);
    } catch (const formats::TransferFileError& error) {
      errors_.fail(error.what());
    }
    pipeline.finish([this] { tell_progress(); });
    return tell_end();
  }

 private:
  struct Source {
    std::string path;
    formats::AwsFormat format = formats::AwsFormat::kJson;
    std::optional<std::uint64_t> items{};  // the count in its export
  };

  bool is_csv() const { return options_.format == formats::Format::kCsv; }

  void find_sources() {
    for (const std::string& path : options_.files) {
      if (options_.format != formats::Format::kAws) {
        sources_.push_back({.path = path});
        continue;
      }
      const std::vector<formats::AwsDataFile> files = formats::read_aws_export(path);
      progress_.print(bulk::messages::checking_export(files.size(), path));
      formats::check_aws_data_files(files, storage::processor_count());
      for (const formats::AwsDataFile& file : files) {
        sources_.push_back({file.path, file.format, file.items});
      }
    }
  }

  void measure_files() {
    for (const auto& [file, format, items] : sources_) {
      if (file == "-") {
        unknown_size_ = true;
        continue;
      }
      const formats::ByteSource source(file);
      std::error_code error;
      if (std::filesystem::is_regular_file(file, error)) {
        bytes_ += std::filesystem::file_size(file, error);
      } else {
        unknown_size_ = true;
      }
    }
  }

  void feed(bulk::ImportPipeline& pipeline, const Source& from) {
    const std::string& path = from.path;
    formats::ByteSource source(path);
    const auto name = std::make_shared<const std::string>(path);
    const bool is_ion = from.format == formats::AwsFormat::kIon;
    const std::unique_ptr<formats::BlockSource> blocks = open_blocks(source, is_ion);
    std::shared_ptr<const formats::CsvColumns> columns;
    std::uint64_t lines = 0;
    while (!errors_.is_over()) {
      std::optional<formats::RecordBlock> block = blocks->next();
      if (!block) break;
      if (is_csv()) {
        if (!columns) columns = take_columns(path, *block);
        block->columns = columns;
      }
      if (from.items) lines += is_ion ? count_records(block->text) : count_lines(block->text);
      taken_of_file_ = source.taken();
      pipeline.feed(name, std::move(*block), [this] { tell_progress(); });
      tell_progress();
    }
    page_ = blocks->has_next_page() ? path : std::string();
    taken_ += std::exchange(taken_of_file_, 0);
    if (from.items && lines != *from.items && !errors_.is_over()) {
      errors_.fail(formats::messages::other_item_count(path, lines, *from.items));
    }
  }

  std::unique_ptr<formats::BlockSource> open_blocks(formats::ByteSource& source, bool is_ion) {
    if (options_.format == formats::Format::kTypedJson ||
        options_.format == formats::Format::kPlainJson) {
      return std::make_unique<bulk::JsonBlocks>(source);
    }
    if (!is_ion) return std::make_unique<formats::RecordBlocks>(source, is_csv());
    return std::make_unique<formats::IonBlocks>(source,
                                                [&](std::size_t record, std::string_view problem) {
                                                  errors_.add(source.path(), record, problem);
                                                });
  }

  // For Ion: a refused record is an empty line.
  static std::uint64_t count_records(std::string_view text) {
    return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  }

  // Counts like the reader, without blank lines.
  static std::uint64_t count_lines(std::string_view text) {
    std::uint64_t count = 0;
    while (!text.empty()) {
      if (formats::take_line(text).find_first_not_of(" \t") != std::string_view::npos) ++count;
    }
    return count;
  }

  // Removes the columns from the first block of a file.
  std::shared_ptr<const formats::CsvColumns> take_columns(const std::string& path,
                                                          formats::RecordBlock& block) {
    if (const std::string_view format = bulk::json_look(block.text); !format.empty()) {
      throw formats::TransferFileError(formats::messages::kAtRecord(path, 1, format));
    }
    std::vector<formats::CsvCell> cells;
    std::size_t count = 0;
    std::string_view rest = block.text;
    if (const auto problem = formats::take_csv_record(rest, cells, count)) {
      throw formats::TransferFileError(formats::messages::kAtRecord(path, 1, *problem));
    }
    auto columns = formats::read_csv_columns(cells, count, options_.types);
    if (const std::string* const problem = std::get_if<std::string>(&columns)) {
      throw formats::TransferFileError(formats::messages::kAtRecord(path, 1, *problem));
    }
    const std::size_t size = block.text.size() - rest.size();
    const std::string_view first = std::string_view(block.text).substr(0, size);
    block.first_line += static_cast<std::size_t>(std::ranges::count(first, '\n'));
    block.text.erase(0, size);
    return std::make_shared<const formats::CsvColumns>(
        std::get<formats::CsvColumns>(std::move(columns)));
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void tell_progress() {
    if (!progress_.is_due()) return;
    const auto taken = static_cast<double>(taken_ + taken_of_file_);
    const double percent =
        unknown_size_ || bytes_ == 0 ? -1 : 100 * taken / static_cast<double>(bytes_);
    progress_.update(bulk::messages::import_progress(
        put_, static_cast<double>(put_) / std::max(seconds(), 0.001), percent));
  }

  bool tell_end() {
    if (errors_.is_over()) {
      progress_.print_problem(
          bulk::messages::import_stopped(errors_.first(), put_, options_.table));
      return false;
    }
    if (errors_.count() > 0) {
      progress_.print_problem(bulk::messages::passed_over(errors_.count(), errors_.first()));
    }
    if (!page_.empty()) progress_.print_problem(bulk::messages::kPageImported(page_));
    progress_.print(bulk::messages::import_done(put_, options_.table, seconds(), errors_.count()));
    return true;
  }

  const ImportOptions& options_;
  bulk::ProgressLine& progress_;
  bulk::ImportErrors errors_;
  std::vector<Source> sources_;
  std::string page_;  // the last file, if more pages of its scan follow
  std::atomic<std::uint64_t> put_{0};
  std::uint64_t bytes_ = 0;          // of all files
  std::uint64_t taken_ = 0;          // of the previous files
  std::uint64_t taken_of_file_ = 0;  // of the current file
  bool unknown_size_ = false;
  const Clock::time_point start_ = Clock::now();
};

}  // namespace

bool import_items(const ImportOptions& options, client::Endpoint& endpoint,
                  bulk::ProgressLine& progress) {
  for (const std::string& file : options.files) {
    std::error_code missing;
    if (std::filesystem::equivalent(file, options.errors_file, missing)) {
      throw std::runtime_error(bulk::messages::kErrorsIntoSource(options.errors_file));
    }
  }
  return Import(options, progress).run(endpoint);
}

}  // namespace magneto::server::tools
