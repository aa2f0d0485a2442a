#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/api/case_runner/case_runner.h"
#include "tests/support/engines.h"

// Every file of tests/cases is a test on each engine.
namespace magneto::api {
namespace {

enum class CaseEngine {
  kMemory,
  kRocksdb,
  kConflicts,  // in memory, where each first commit of a write is refused
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

// put_item/conditions.case on RocksDB is put_item_conditions_rocksdb.
std::string case_name(const testing::TestParamInfo<CaseParameter>& info) {
  const auto& [path, engine] = info.param;
  std::string name = std::filesystem::relative(path, kCases).replace_extension().string() +
                     (engine == CaseEngine::kMemory      ? "_memory"
                      : engine == CaseEngine::kConflicts ? "_conflicts"
                                                         : "_rocksdb");
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Cases : public testing::TestWithParam<CaseParameter> {};

TEST_P(Cases, AnswerAsExpected) {
  const auto& [path, engine] = GetParam();
  const CaseFile file = read_case_file(path);
  const storage::TempDirectory directory;
  CaseRunner runner(engine == CaseEngine::kRocksdb ? directory.path() : std::string(),
                    engine == CaseEngine::kConflicts);
  for (const std::string& failure : runner.run(file)) ADD_FAILURE() << failure;
}

INSTANTIATE_TEST_SUITE_P(All, Cases,
                         testing::Combine(testing::ValuesIn(find_case_files()),
                                          testing::Values(CaseEngine::kMemory, CaseEngine::kRocksdb,
                                                          CaseEngine::kConflicts)),
                         case_name);

}  // namespace
}  // namespace magneto::api
