// A file of event source mappings.
#include "server/feeds/event_sources/mapping_file.h"

#include <set>
#include <string>
#include <string_view>

#include "tests/fuzz/property.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using server::feeds::EventSourceMapping;

void check_mapping(const EventSourceMapping& mapping) {
  require(!mapping.function_name.empty(), "a mapping has a function");
  require(mapping.table_name.empty() != mapping.stream_arn.empty(), "a mapping has one source");
  require(mapping.batch_size > 0 && mapping.batch_size <= EventSourceMapping::kMaxBatchSize,
          "a batch has its bounds");
  require(mapping.window.count() >= 0 &&
              mapping.window.count() <= EventSourceMapping::kMaxWindowSeconds,
          "a window has its bounds");
  require(mapping.lanes > 0 && mapping.lanes <= EventSourceMapping::kMaxLanes, "lanes have bounds");
  require(mapping.timeout.count() > 0 &&
              mapping.timeout.count() <= EventSourceMapping::kMaxTimeoutSeconds,
          "a function has its time");
  require(mapping.filters.size() <= EventSourceMapping::kMaxFilters, "filters have a bound");
  require(mapping.on_failure.file.empty() || !mapping.on_failure.url, "failures go to one place");
  require(mapping.on_failure.file.find('\0') == std::string::npos, "a file has a name");
  require(mapping.on_failure.url_path.find_first_of("\r\n ") == std::string::npos,
          "a path can stand in a request", mapping.on_failure.url_path);
}

}  // namespace

void fuzz_mapping_file(std::string_view input) {
  try {
    std::set<std::string> ids;
    for (const EventSourceMapping& mapping :
         server::feeds::read_mappings(std::string(input), "mappings")) {
      check_mapping(mapping);
      require(ids.insert(mapping.id()).second, "mappings are told apart", mapping.id());
    }
    require(ids.size() <= server::feeds::kMaxMappings, "mappings have a bound");
  } catch (const server::feeds::MappingFileError& error) {
    require(std::string_view(error.what()).find("mappings") != std::string_view::npos,
            "a fault names the file", error.what());
  }
}

}  // namespace magneto::fuzz
