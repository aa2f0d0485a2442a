#include "server/tools/schema/schema_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "server/system/descriptor.h"
#include "server/tools/schema/cloudformation.h"
#include "server/tools/schema/json_tree.h"
#include "server/tools/schema/messages.h"
#include "server/tools/schema/seed_items.h"
#include "server/tools/schema/serverless.h"
#include "server/tools/schema/table_json.h"
#include "server/tools/schema/terraform.h"

namespace magneto::server::tools::schema {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffixes[] = {".json", ".yaml", ".yml", ".template", ".tfstate"};
constexpr std::string_view kItemSuffixes[] = {".items.json", ".items.jsonl"};
constexpr std::string_view kTimeToLiveSuffix = ".ttl.json";
// A text with a table contains one of these, in each form.
constexpr std::string_view kTraces[] = {
    "TableName", "AWS::DynamoDB::", "AWS::Serverless::SimpleTable", "aws_dynamodb_table"};

enum class Form : std::uint8_t { kUnknown, kTables, kTemplate, kServerless, kTerraform };

bool is_table_request(const TreeNode& node) {
  return node.has("TableName") || node.has("Table") || node.has("TableDescription");
}

// `is_meant`: the user named the file, so any list counts as a list of tables.
Form form_of(const TreeNode& document, bool is_meant) {
  if (document.has("Resources")) return Form::kTemplate;
  if (document.at("planned_values").is_map()) return Form::kTerraform;
  if (document.has("format_version") || document.has("terraform_version")) return Form::kTerraform;
  if (document.has("service") && (document.has("provider") || document.has("resources"))) {
    return Form::kServerless;
  }
  if (is_table_request(document)) return Form::kTables;
  const TreeNode& list = document.is_list() ? document : document.at("Tables");
  const bool is_listed =
      is_meant ? list.is_list() : std::ranges::any_of(list.elements, is_table_request);
  return is_listed ? Form::kTables : Form::kUnknown;
}

[[noreturn]] void fail(const std::string& file, std::uint32_t line, const std::string& what) {
  throw SchemaError(line, messages::in_file(file, line, what));
}

// Advice about a file with this name; empty if there is none.
std::string advice_for(const std::string& file) {
  const std::string suffix = fs::path(file).extension().string();
  if (suffix == ".tf" || suffix == ".hcl") {
    return messages::kTerraformLanguage;
  }
  if (suffix == ".ts" || suffix == ".js" || suffix == ".py") {
    return messages::kProgram;
  }
  return {};
}

std::vector<TreeNode> tables_of(const TreeNode& document, Form form, SchemaParameters& parameters,
                                const Warn& warn) {
  switch (form) {
    case Form::kTemplate:
      return template_tables(document, parameters, {}, warn);
    case Form::kServerless:
      return serverless_tables(document, parameters, warn);
    case Form::kTerraform:
      return terraform_tables(document, warn);
    case Form::kTables:
    case Form::kUnknown:
      break;
  }
  return listed_tables(document, warn);
}

std::vector<TableDefinition> read_document(const TreeNode& document, Form form,
                                           const std::string& file, SchemaParameters& parameters,
                                           const ReportWarning& report) {
  const Warn warn = [&](std::uint32_t line, const std::string& what) {
    report(messages::in_file(file, line, what));
  };
  std::vector<TableDefinition> tables;
  for (const TreeNode& table : tables_of(document, form, parameters, warn)) {
    tables.push_back(make_table(table, warn));
    tables.back().file = file;
    for (SeedItem& item : tables.back().items) item.file = file;
  }
  if (tables.empty()) report(messages::in_file(file, 0, messages::kNoTable));
  return tables;
}

// Returns the number of bytes read; 0 at the end. Waits for a process that writes into a pipe.
// Throws SchemaError.
std::size_t read_piece(int descriptor, const std::string& path, std::span<char> piece) {
  while (true) {
    const ssize_t size = ::read(descriptor, piece.data(), piece.size());
    if (size >= 0) return static_cast<std::size_t>(size);
    if (errno == EAGAIN) {
      pollfd waited{descriptor, POLLIN, 0};
      ::poll(&waited, 1, -1);
    } else if (errno != EINTR) {
      fail(path, 0, messages::kUnreadable(std::generic_category().message(errno)));
    }
  }
}

// Reads to the end, since a pipe has no size. Opens without blocking, since a pipe without a writer
// would delay the start forever. Throws SchemaError.
std::string read_text(const std::string& path) {
  const system::Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (descriptor.get() < 0 || ::fstat(descriptor.get(), &status) != 0) {
    fail(path, 0, messages::kUnreadable(std::generic_category().message(errno)));
  }
  std::string text;
  std::array<char, 64 << 10> piece{};
  while (const std::size_t size = read_piece(descriptor.get(), path, piece)) {
    text.append(piece.data(), size);
    if (text.size() > kMaxFileSize) fail(path, 0, messages::kLargeFile);
  }
  if (text.empty() && S_ISFIFO(status.st_mode)) fail(path, 0, messages::kPipeWithoutWriter);
  return text;
}

template <typename Suffixes>
bool ends_in(const std::string& path, const Suffixes& suffixes) {
  return std::ranges::any_of(suffixes,
                             [&](std::string_view suffix) { return path.ends_with(suffix); });
}

struct Source {
  std::string path;
  bool is_named = true;  // the user named it; false: found in a folder
};

struct Sources {
  std::vector<Source> files;
  std::string terraform_folder;  // the first with Terraform files; empty: none
};

bool is_in_terraform_language(const std::string& path) {
  return path.ends_with(".tf") || path.ends_with(".tf.json");
}

void add_folder(const std::string& folder, Sources& sources, const ReportWarning& report) {
  std::error_code error;
  std::vector<std::string> paths;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string path = entry->path().string();
    const bool is_hidden = entry->path().filename().string().starts_with('.');
    if (!is_hidden && is_in_terraform_language(path) && sources.terraform_folder.empty()) {
      sources.terraform_folder = folder;
    }
    std::error_code unknown;
    if (!is_hidden && entry->is_regular_file(unknown) && ends_in(path, kSuffixes) &&
        !ends_in(path, kItemSuffixes) && !path.ends_with(kTimeToLiveSuffix)) {
      paths.push_back(path);
    }
  }
  if (error) fail(folder, 0, messages::kUnreadableFolder(error.message()));
  if (paths.empty() && sources.terraform_folder.empty())
    report(messages::in_file(folder, 0, messages::kFolderWithoutFiles));
  std::ranges::sort(paths);
  for (std::string& path : paths) sources.files.push_back({std::move(path), false});
}

Sources sources_of(const std::vector<std::string>& paths, const ReportWarning& report) {
  Sources sources;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      add_folder(path, sources, report);
    } else {
      sources.files.push_back({path});
    }
  }
  return sources;
}

// Runs a reader, and puts the file's name before the text of its error.
template <typename Read>
auto read_with_name(const std::string& file, Read read) {
  try {
    return read();
  } catch (const SchemaError& error) {
    fail(file, error.line(), error.what());
  }
}

// The text of a file in the same folder that is named after the table.
std::optional<std::string> read_beside(const TableDefinition& table, std::string_view suffix,
                                       std::string& path) {
  if (table.name.find('/') != std::string::npos) return std::nullopt;
  path = (fs::path(table.file).parent_path() / (table.name + std::string(suffix))).string();
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  return read_text(path);
}

void add_files_beside(TableDefinition& table) {
  std::string path;
  for (const std::string_view suffix : kItemSuffixes) {
    const std::optional<std::string> text = read_beside(table, suffix, path);
    if (!text) continue;
    std::vector<SeedItem> items = read_with_name(path, [&] { return read_items(*text, path); });
    std::ranges::move(items, std::back_inserter(table.items));
  }
  const std::optional<std::string> text = read_beside(table, kTimeToLiveSuffix, path);
  if (!text || !table.time_to_live.empty()) return;
  read_with_name(path, [&] {
    const TreeNode answer = read_tree(*text);
    if (!answer.has("TimeToLiveDescription")) throw SchemaError(0, messages::kNoTimeToLive);
    set_time_to_live(table, time_to_live_of(answer), [](std::uint32_t, const std::string&) {});
  });
}

// Whether an unreadable file in a folder may contain tables.
bool has_traces(const std::string& text) {
  return std::ranges::any_of(
      kTraces, [&](std::string_view trace) { return text.find(trace) != std::string::npos; });
}

std::vector<TableDefinition> read_named(const std::string& text, const Source& source,
                                        SchemaParameters& parameters, const ReportWarning& report) {
  return read_with_name(source.path, [&] {
    TreeNode document;
    try {
      document = read_tree(text);
    } catch (const SchemaError& error) {
      if (source.is_named || has_traces(text)) throw;
      report(messages::in_file(source.path, error.line(), messages::kPassedOver(error.what())));
      return std::vector<TableDefinition>();
    }
    const Form form = form_of(document, source.is_named);
    if (form != Form::kUnknown) {
      return read_document(document, form, source.path, parameters, report);
    }
    if (source.is_named) throw SchemaError(0, messages::kNoForm);
    report(messages::in_file(source.path, 0, messages::kNothingForTables));
    return std::vector<TableDefinition>();
  });
}

std::vector<TableDefinition> read_source(const Source& source, SchemaParameters& parameters,
                                         const ReportWarning& report) {
  const std::string advice = advice_for(source.path);
  if (!advice.empty()) fail(source.path, 0, advice);
  std::string text;
  try {
    text = read_text(source.path);
  } catch (const SchemaError& error) {
    if (source.is_named) throw;
    report(messages::kPassedOver(error.what()));
    return {};
  }
  std::vector<TableDefinition> tables = read_named(text, source, parameters, report);
  for (TableDefinition& table : tables) add_files_beside(table);
  return tables;
}

}  // namespace

std::vector<TableDefinition> read_schema(const std::string& text, const std::string& file,
                                         SchemaParameters& parameters, const ReportWarning& warn) {
  return read_named(text, {file}, parameters, warn);
}

std::vector<TableDefinition> read_schema_files(const std::vector<std::string>& paths,
                                               SchemaParameters& parameters,
                                               const ReportWarning& warn) {
  std::vector<TableDefinition> tables;
  std::unordered_map<std::string, std::string> places;
  const Sources sources = sources_of(paths, warn);
  for (const Source& source : sources.files) {
    for (TableDefinition& table : read_source(source, parameters, warn)) {
      const auto [first, is_new] = places.try_emplace(table.name, table.place());
      if (!is_new) {
        fail(table.file, table.line, messages::kTableTwice(table.name, first->second));
      }
      tables.push_back(std::move(table));
    }
  }
  if (tables.empty() && !sources.terraform_folder.empty()) {
    fail(sources.terraform_folder, 0, messages::kTerraformFolder);
  }
  return tables;
}

}  // namespace magneto::server::tools::schema
