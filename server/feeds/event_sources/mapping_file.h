#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "server/feeds/event_sources/event_source_mapping.h"

namespace magneto::server::feeds {

// Why a file of event source mappings cannot be used, with its name and the place in it.
class MappingFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr std::size_t kMaxMappings = 1'000;
inline constexpr std::size_t kMaxMappingFileMegabytes = 16;

// {"Endpoint": "http://localhost:9001", "EventSourceMappings": [{...}, ...]}: what --event-sources
// names. Endpoint is that of mappings without one of their own. Members that nothing here knows are
// refused, and so is a second mapping of one function and source. Throws MappingFileError.
std::vector<EventSourceMapping> read_mapping_file(const std::string& path);
// The same of the text; `file` is for messages.
std::vector<EventSourceMapping> read_mappings(std::string text, const std::string& file);

}  // namespace magneto::server::feeds
