#include "server/transfer/schema/schema_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "server/transfer/schema/cloudformation.h"
#include "server/transfer/schema/json_tree.h"
#include "server/transfer/schema/messages.h"
#include "server/transfer/schema/seed_items.h"
#include "server/transfer/schema/serverless.h"
#include "server/transfer/schema/table_json.h"
#include "server/transfer/schema/terraform.h"

namespace magneto::server::schema {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffixes[] = {".json", ".yaml", ".yml", ".template", ".tfstate"};
constexpr std::string_view kItemSuffixes[] = {".items.json", ".items.jsonl"};

enum class Form : std::uint8_t { kUnknown, kTables, kTemplate, kServerless, kTerraform };

Form form_of(const TreeNode& document) {
  if (document.has("Resources")) return Form::kTemplate;
  if (document.at("planned_values").is_map()) return Form::kTerraform;
  if (document.has("format_version") || document.has("terraform_version")) return Form::kTerraform;
  if (document.has("service") && (document.has("provider") || document.has("resources"))) {
    return Form::kServerless;
  }
  for (const std::string_view name : {"TableName", "Table", "TableDescription"}) {
    if (document.has(name)) return Form::kTables;
  }
  const TreeNode& list = document.is_list() ? document : document.at("Tables");
  return list.is_list() ? Form::kTables : Form::kUnknown;
}

[[noreturn]] void fail(const std::string& file, std::uint32_t line, const std::string& what) {
  throw SchemaError(line, messages::in_file(file, line, what));
}

// What to give instead of a file of this name; empty: nothing is known of it.
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
  return listed_tables(document);
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

std::string read_text(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) fail(path, 0, messages::unreadable(error.message()));
  if (size > kMaxFileSize) fail(path, 0, messages::kLargeFile);
  std::string text(static_cast<std::size_t>(size), '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (stream.gcount() != static_cast<std::streamsize>(size)) {
    fail(path, 0, messages::kCutFile);
  }
  return text;
}

template <typename Suffixes>
bool ends_in(const std::string& path, const Suffixes& suffixes) {
  return std::ranges::any_of(suffixes,
                             [&](std::string_view suffix) { return path.ends_with(suffix); });
}

struct Source {
  std::string path;
  bool is_named = true;  // by the user, and not found in a folder
};

void add_folder(const std::string& folder, std::vector<Source>& sources) {
  std::error_code error;
  std::vector<std::string> paths;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string path = entry->path().string();
    const bool is_hidden = entry->path().filename().string().starts_with('.');
    std::error_code unknown;
    if (!is_hidden && entry->is_regular_file(unknown) && ends_in(path, kSuffixes) &&
        !ends_in(path, kItemSuffixes)) {
      paths.push_back(path);
    }
  }
  if (error) fail(folder, 0, messages::unreadable_folder(error.message()));
  std::ranges::sort(paths);
  for (std::string& path : paths) sources.push_back({std::move(path), false});
}

std::vector<Source> sources_of(const std::vector<std::string>& paths) {
  std::vector<Source> sources;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      add_folder(path, sources);
    } else {
      sources.push_back({path});
    }
  }
  return sources;
}

// Runs a reader, and puts the file's name in front of what it throws.
template <typename Read>
auto read_with_name(const std::string& file, Read read) {
  try {
    return read();
  } catch (const SchemaError& error) {
    fail(file, error.line(), error.what());
  }
}

void add_items_beside(TableDefinition& table) {
  for (const std::string_view suffix : kItemSuffixes) {
    if (table.name.find('/') != std::string::npos) return;
    const std::string path =
        (fs::path(table.file).parent_path() / (table.name + std::string(suffix))).string();
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;
    const std::string text = read_text(path);
    std::vector<SeedItem> items = read_with_name(path, [&] { return read_items(text, path); });
    std::ranges::move(items, std::back_inserter(table.items));
  }
}

std::vector<TableDefinition> read_named(const std::string& text, const Source& source,
                                        SchemaParameters& parameters, const ReportWarning& report) {
  return read_with_name(source.path, [&] {
    const TreeNode document = read_tree(text);
    const Form form = form_of(document);
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
  const std::string text = read_text(source.path);
  std::vector<TableDefinition> tables = read_named(text, source, parameters, report);
  for (TableDefinition& table : tables) add_items_beside(table);
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
  for (const Source& source : sources_of(paths)) {
    for (TableDefinition& table : read_source(source, parameters, warn)) {
      const auto [first, is_new] = places.try_emplace(table.name, table.place());
      if (!is_new) {
        fail(table.file, table.line, messages::table_twice(table.name, first->second));
      }
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

}  // namespace magneto::server::schema
