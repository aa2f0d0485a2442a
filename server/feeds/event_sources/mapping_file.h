#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "server/feeds/event_sources/event_source_mapping.h"

namespace magneto::server::feeds {

// A file of event source mappings cannot be used. The text has its name and the place in it.
class MappingFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr std::size_t kMaxMappings = 1'000;
inline constexpr std::size_t kMaxMappingFileMegabytes = 16;

// Reads the file of --event-sources: {"Endpoint": "http://localhost:9001", "EventSourceMappings":
// [{...}, ...]}. Mappings without an Endpoint use this one. Unknown members are refused, and so is
// a second mapping of the same function and source. Throws MappingFileError.
std::vector<EventSourceMapping> read_mapping_file(const std::string& path);
// The same for the text of a file. `file` is for messages.
std::vector<EventSourceMapping> read_mappings(std::string text, const std::string& file);

}  // namespace magneto::server::feeds
