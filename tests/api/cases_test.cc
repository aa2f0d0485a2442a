#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

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
  kSharedPostgres,  // two servers
  kConflicts,       // on disk, where each first commit of a scope is refused
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
    case CaseEngine::kSharedPostgres:
      return "_shared_postgres";
    case CaseEngine::kConflicts:
      return "_conflicts";
  }
  return {};
}

std::vector<CaseEngine> case_engines() {
  std::vector<CaseEngine> engines = {CaseEngine::kMemory, CaseEngine::kRocksdb,
                                     CaseEngine::kConflicts};
  if (storage::PostgresServer::is_installed()) {
    engines.push_back(CaseEngine::kPostgres);
    engines.push_back(CaseEngine::kSharedPostgres);
  }
  return engines;
}

bool is_over_postgres(CaseEngine engine) {
  return engine == CaseEngine::kPostgres || engine == CaseEngine::kSharedPostgres;
}

storage::DatabaseOptions options_for(CaseEngine engine, const storage::TempDirectory& directory) {
  storage::DatabaseOptions options;
  const bool is_on_disk = engine == CaseEngine::kRocksdb || engine == CaseEngine::kConflicts;
  if (is_on_disk) options.data_directory = directory.path();
  if (is_over_postgres(engine)) {
    options.store = storage::postgres_options(directory);
    options.store->shared = engine == CaseEngine::kSharedPostgres;
  }
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

bool has_step(const CaseFile& file, const std::function<bool(const CaseStep&)>& is_one) {
  return std::ranges::any_of(file.steps, is_one);
}

// Servers that share a store refuse a step of the file, which ends there.
bool uses_what_one_server_does(const CaseFile& file) {
  static const std::set<std::string> kOperations = {"CreateBackup",
                                                    "CreateGlobalTable",
                                                    "ExportTableToPointInTime",
                                                    "SearchVectors",
                                                    "UpdateContinuousBackups",
                                                    "UpdateGlobalTable",
                                                    "UpdateGlobalTableSettings",
                                                    "UpdateTableReplicaAutoScaling"};
  return has_step(file, [](const CaseStep& step) {
    return kOperations.contains(step.operation) ||
           step.request.find("VectorIndex") != std::string::npos ||
           step.request.find("ReplicaUpdates") != std::string::npos;
  });
}

// Servers that share a store divide units among them, and number the records of streams by a clock
// that a case cannot turn.
bool needs_one_server(const CaseFile& file) {
  const bool turns_clock = has_step(file, [](const CaseStep& step) {
    return step.kind == CaseStep::Kind::kAdvance || step.kind == CaseStep::Kind::kFreeze;
  });
  const bool reads_stream = has_step(file, [](const CaseStep& step) {
    return step.operation == "GetRecords" || step.operation == "DescribeStream" ||
           step.operation == "GetShardIterator";
  });
  return file.enforces_throughput || (turns_clock && reads_stream);
}

class Cases : public testing::TestWithParam<CaseParameter> {};

TEST_P(Cases, AnswerAsExpected) {
  const auto& [path, engine] = GetParam();
  const CaseFile file = read_case_file(path);
  const storage::TempDirectory directory;
  CaseRunner runner(options_for(engine, directory), engine == CaseEngine::kConflicts);
  for (const std::string& failure : runner.run(file)) ADD_FAILURE() << failure;
  const bool is_shared = engine == CaseEngine::kSharedPostgres;
  EXPECT_EQ(runner.is_refused(), is_shared && uses_what_one_server_does(file));
}

constexpr std::size_t kRefusedInPart = 35;
constexpr std::size_t kLeftOut = 14;

TEST(SharedPostgresCases, LeaveOutNoMoreThanTheRulesSay) {
  std::size_t refused = 0;
  std::size_t left_out = 0;
  for (const std::string& path : find_case_files()) {
    const CaseFile file = read_case_file(path);
    const bool is_out = needs_one_server(file);
    left_out += is_out ? 1 : 0;
    refused += !is_out && uses_what_one_server_does(file) ? 1 : 0;
  }
  EXPECT_EQ(refused, kRefusedInPart);
  EXPECT_EQ(left_out, kLeftOut);
}

// A store in PostgreSQL refuses keys beyond its limit: those are in files of this name.
std::vector<CaseParameter> all_cases() {
  std::vector<CaseParameter> cases;
  for (const std::string& file : find_case_files()) {
    for (const CaseEngine engine : case_engines()) {
      const bool is_too_long = is_over_postgres(engine) && file.ends_with("/longest_keys.case");
      const bool is_out =
          engine == CaseEngine::kSharedPostgres && needs_one_server(read_case_file(file));
      if (!is_too_long && !is_out) cases.emplace_back(file, engine);
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, Cases, testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace magneto::api
