#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/api/case_runner/case_runner.h"
#include "tests/support/engines.h"
#include "tests/support/postgres_server.h"

// Every file of tests/cases is a test on each engine.
namespace magneto::api {
namespace {

enum class CaseEngine {
  kMemory,
  kRocksdb,
  kPostgres,
  kConflicts,  // on disk, where each first commit of a scope is refused
};

const std::filesystem::path kCases = std::filesystem::path(MAGNETO_SOURCE_DIR) / "tests" / "cases";

std::vector<std::string> find_case_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kCases)) {
    if (entry.path().extension() == ".case") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

using CaseParameter = std::tuple<std::string, CaseEngine>;

std::string name_of_engine(CaseEngine engine) {
  switch (engine) {
    case CaseEngine::kMemory:
      return "_memory";
    case CaseEngine::kRocksdb:
      return "_rocksdb";
    case CaseEngine::kPostgres:
      return "_postgres";
    case CaseEngine::kConflicts:
      return "_conflicts";
  }
  return {};
}

std::vector<CaseEngine> case_engines() {
  std::vector<CaseEngine> engines = {CaseEngine::kMemory, CaseEngine::kRocksdb,
                                     CaseEngine::kConflicts};
  if (storage::PostgresServer::is_installed()) engines.push_back(CaseEngine::kPostgres);
  return engines;
}

storage::DatabaseOptions options_for(CaseEngine engine, const storage::TempDirectory& directory) {
  storage::DatabaseOptions options;
  const bool is_on_disk = engine == CaseEngine::kRocksdb || engine == CaseEngine::kConflicts;
  if (is_on_disk) options.data_directory = directory.path();
  if (engine == CaseEngine::kPostgres) options.store = storage::postgres_options(directory);
  return options;
}

// put_item/conditions.case on RocksDB is put_item_conditions_rocksdb.
std::string case_name(const testing::TestParamInfo<CaseParameter>& info) {
  const auto& [path, engine] = info.param;
  std::string name =
      std::filesystem::relative(path, kCases).replace_extension().string() + name_of_engine(engine);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Cases : public testing::TestWithParam<CaseParameter> {};

TEST_P(Cases, AnswerAsExpected) {
  const auto& [path, engine] = GetParam();
  const CaseFile file = read_case_file(path);
  const storage::TempDirectory directory;
  CaseRunner runner(options_for(engine, directory), engine == CaseEngine::kConflicts);
  for (const std::string& failure : runner.run(file)) ADD_FAILURE() << failure;
}

// A store in PostgreSQL refuses keys beyond its limit: those are in files of this name.
std::vector<CaseParameter> all_cases() {
  std::vector<CaseParameter> cases;
  for (const std::string& file : find_case_files()) {
    for (const CaseEngine engine : case_engines()) {
      const bool is_too_long =
          engine == CaseEngine::kPostgres && file.ends_with("/longest_keys.case");
      if (!is_too_long) cases.emplace_back(file, engine);
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, Cases, testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace magneto::api
