#include "server/tools/dynamodb_local/dynamodb_local_import.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "server/bulk/operations.h"
#include "server/tools/dynamodb_local/dynamodb_local_file.h"
#include "server/tools/dynamodb_local/import_progress.h"
#include "server/tools/dynamodb_local/messages.h"
#include "server/tools/dynamodb_local/table_import.h"

namespace magneto::server::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSharedFile = "shared-local-instance.db";

struct Source {
  std::string path;
  std::string file_name;
  std::string access_key;
  std::string region;
};

// Parses <access key>_<region>.db. DynamoDB Local's access keys have no underscore there. A region
// with characters other than letters, digits and hyphens counts as no region.
std::optional<Source> source_of(const fs::path& path) {
  Source source{path.string(), path.filename().string(), {}, {}};
  const std::string stem = path.stem().string();
  const std::size_t underscore = stem.find('_');
  if (path.extension() != ".db" || underscore == std::string::npos || underscore == 0) {
    return std::nullopt;
  }
  source.access_key = stem.substr(0, underscore);
  source.region = stem.substr(underscore + 1);
  return source;
}

std::vector<Source> sources_in(const std::string& folder, bool shared) {
  std::vector<Source> sources;
  std::error_code error;
  if (shared) {
    const fs::path path = fs::path(folder) / kSharedFile;
    if (fs::exists(path, error)) {
      sources.push_back({path.string(), std::string(kSharedFile), {}, {}});
    }
    return sources;
  }
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (std::optional<Source> source = source_of(entry->path())) sources.push_back(*source);
  }
  if (error) throw LocalFileError(messages::kUnreadableFile(folder, error.message()));
  std::ranges::sort(sources, {}, &Source::file_name);
  return sources;
}

class FileImport {
 public:
  FileImport(const Source& source, const ImportPlace& place, api::Service& service,
             const ImportReport& report)
      : source_(source),
        progress_(place.notes, source.file_name),
        scratch_(place.data_directory + "/dynamodb-local/copy"),
        report_(report),
        operations_(service, caller_of(source), "import") {}

  void run() {
    if (progress_.is_finished()) return;
    std::error_code error;
    if (fs::is_regular_file(source_.path, error) && fs::file_size(source_.path, error) == 0) return;
    DynamodbLocalFile file(source_.path, scratch_);
    report_.progress(messages::importing(source_.path, file.tables().size()));
    std::vector<TableImport> tables;
    for (const LocalTable& table : file.tables()) {
      tables.emplace_back(file, table, operations_, report_).check();
    }
    file.check_unchanged();
    remove_begun_tables();
    make(tables);
    file.check_unchanged();
    progress_.finish();
    std::int64_t items = 0;
    for (const TableImport& table : tables) items += table.done();
    report_.progress(messages::imported(tables.size(), items, source_.path));
  }

 private:
  static api::Caller caller_of(const Source& source) {
    api::Caller caller;
    caller.profile = api::Profile::kDynamoDbLocal;
    caller.access_key = source.access_key;
    if (!source.access_key.empty()) caller.region = source.region;
    return caller;
  }

  void remove_begun_tables() {
    for (const std::string& name : progress_.begun_tables()) operations_.remove_table(name);
  }

  void make(std::vector<TableImport>& tables) {
    std::vector<std::string> names;
    std::erase_if(tables, [&](const TableImport& table) {
      if (!operations_.has_table(table.name())) {
        names.push_back(table.name());
        return false;
      }
      report_.warning(messages::kTableExists(table.name(), source_.path));
      return true;
    });
    progress_.begin(names);
    std::erase_if(tables, [](TableImport& table) { return !table.create(); });
    for (TableImport& table : tables) table.fill();
    for (TableImport& table : tables) table.finish();
  }

  const Source& source_;
  const ImportProgress progress_;
  const std::string scratch_;
  const ImportReport& report_;
  bulk::Operations operations_;
};

}  // namespace

void import_dynamodb_local(const std::string& folder, const ImportPlace& place, bool shared,
                           api::Service& service, const ImportReport& report) {
  for (const Source& source : sources_in(folder, shared)) {
    try {
      FileImport(source, place, service, report).run();
    } catch (const ForeignFile& foreign) {
      if (shared) throw LocalFileError(messages::kInTheWay(foreign.what()));
      report.warning(messages::kLeftAlone(foreign.what()));
    } catch (const bulk::OperationFault& fault) {
      throw LocalFileError(messages::kImportFailed(fault.operation(), fault.why()));
    }
  }
}

}  // namespace magneto::server::tools
