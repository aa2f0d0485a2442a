#include "server/feeds/event_sources/mapping_file.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/deliveries/source_stream.h"
#include "api/json/json_reader.h"
#include "api/nearest_name.h"
#include "server/client/signing/sha256.h"
#include "server/feeds/event_sources/messages.h"
#include "server/system/whole_file.h"

namespace magneto::server::feeds {

using api::json::Member;
using api::json::Type;
using api::json::Value;

namespace {

constexpr std::size_t kLongestFunctionName = 140;
constexpr std::string_view kMappings = "EventSourceMappings";
constexpr std::string_view kEndpoint = "Endpoint";

// Without the name of the file.
class Problem : public std::runtime_error {
 public:
  Problem(const std::string& place, std::string_view what)
      : std::runtime_error(messages::at_member(place, what)) {}
};

// Refused before what is wrong with values.
class UnknownMember : public Problem {
 public:
  UnknownMember(const std::string& place, std::string_view name,
                const std::vector<std::string>& known)
      : Problem(place, messages::unknown_member(api::nearest_name(name, known), known)) {}
};

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_function_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestFunctionName &&
         std::ranges::all_of(name, [](char c) {
           return is_alphanumeric(c) || c == '-' || c == '_' || c == ':' || c == '$' || c == '.';
         });
}

bool is_table_name(std::string_view name) {
  constexpr std::size_t kShortest = 3;
  constexpr std::size_t kLongest = 255;
  return name.size() >= kShortest && name.size() <= kLongest &&
         std::ranges::all_of(
             name, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

client::EndpointUrl read_endpoint(Value value, const std::string& place) {
  auto url = client::parse_endpoint_url(value.string());
  if (!url) throw Problem(place, messages::kNoEndpoint);
  return *std::move(url);
}

// One element of EventSourceMappings.
class MappingReader {
 public:
  MappingReader(Value value, std::string place, const std::optional<client::EndpointUrl>& endpoint)
      : value_(value), place_(std::move(place)), endpoint_(endpoint) {}

  EventSourceMapping read() {
    if (!value_.is_object()) throw Problem(place_, messages::kNoObject);
    std::optional<Problem> first;
    for (const Member member : value_.object()) {
      try {
        read_member(member);
      } catch (const UnknownMember&) {
        throw;
      } catch (const Problem& problem) {
        if (!first) first = problem;
      }
    }
    if (first) throw Problem(*first);
    if (mapping_.table_name.empty() == mapping_.stream_arn.empty()) {
      throw Problem(place_, messages::kOneSource);
    }
    if (mapping_.function_name.empty()) throw Problem(at("FunctionName"), messages::kMissing);
    if (!seen_.contains("StartingPosition")) {
      throw Problem(at("StartingPosition"), messages::kMissing);
    }
    if (!endpoint_) throw Problem(at(kEndpoint), messages::kMissing);
    mapping_.endpoint = *endpoint_;
    return std::move(mapping_);
  }

 private:
  std::string at(std::string_view member) const { return messages::kMemberOf(place_, member); }

  void read_member(const Member& member) {
    if (!seen_.insert(member.name).second) throw Problem(at(member.name), messages::kTwice);
    known_.clear();
    if (read_source(member) || read_limit(member) || read_rest(member)) return;
    throw UnknownMember(at(member.name), member.name, known_);
  }

  // Keeps the names that a member is compared with: those that could stand in its place.
  bool is(const Member& member, std::string_view name) {
    if (member.name == name) return true;
    known_.emplace_back(name);
    return false;
  }

  bool read_source(const Member& member) {
    const std::string_view text = member.value.string();
    if (is(member, "TableName")) {
      if (!is_table_name(text)) throw Problem(at(member.name), messages::kNoTableName);
      mapping_.table_name = text;
    } else if (is(member, "EventSourceArn")) {
      if (!api::SourceStream::is_stream_arn(text)) {
        throw Problem(at(member.name), messages::kNoStreamArn);
      }
      mapping_.stream_arn = text;
    } else if (is(member, "FunctionName")) {
      if (!is_function_name(text)) throw Problem(at(member.name), messages::kNoFunctionName);
      mapping_.function_name = text;
    } else if (is(member, kEndpoint)) {
      endpoint_ = read_endpoint(member.value, at(member.name));
    } else if (is(member, "StartingPosition")) {
      mapping_.from_latest = text == "LATEST";
      if (!mapping_.from_latest && text != "TRIM_HORIZON") {
        throw Problem(at(member.name), messages::kNoStartingPosition);
      }
    } else {
      return false;
    }
    return true;
  }

  bool read_limit(const Member& member) {
    using Mapping = EventSourceMapping;
    if (is(member, "BatchSize")) {
      mapping_.batch_size = static_cast<std::size_t>(whole(member, 1, Mapping::kMaxBatchSize));
    } else if (is(member, "MaximumBatchingWindowInSeconds")) {
      mapping_.window = std::chrono::seconds(whole(member, 0, Mapping::kMaxWindowSeconds));
    } else if (is(member, "MaximumRetryAttempts")) {
      mapping_.max_retries = whole(member, Mapping::kUnlimited, Mapping::kMaxRetries);
    } else if (is(member, "MaximumRecordAgeInSeconds")) {
      const std::int64_t age = whole(member, Mapping::kUnlimited, Mapping::kMaxAgeSeconds);
      if (age != Mapping::kUnlimited && age < Mapping::kMinAgeSeconds) {
        throw Problem(at(member.name), messages::kNoAge);
      }
      mapping_.max_age_seconds = age;
    } else if (is(member, "ParallelizationFactor")) {
      mapping_.lanes = static_cast<std::uint32_t>(whole(member, 1, Mapping::kMaxLanes));
    } else if (is(member, "TimeoutInSeconds")) {
      mapping_.timeout = std::chrono::seconds(whole(member, 1, Mapping::kMaxTimeoutSeconds));
    } else if (is(member, "TumblingWindowInSeconds")) {
      const bool is_none = member.value.is_whole() && member.value.integer() == 0;
      if (!is_none) throw Problem(at(member.name), messages::kNoTumblingWindow);
    } else {
      return false;
    }
    return true;
  }

  bool read_rest(const Member& member) {
    if (is(member, "FilterCriteria")) {
      read_filters(member.value, at(member.name));
    } else if (is(member, "BisectBatchOnFunctionError")) {
      mapping_.bisects = boolean(member);
    } else if (is(member, "Enabled")) {
      mapping_.is_enabled = boolean(member);
    } else if (is(member, "FunctionResponseTypes")) {
      read_response_types(member.value, at(member.name));
    } else if (is(member, "DestinationConfig")) {
      read_destination(member.value, at(member.name));
    } else {
      return false;
    }
    return true;
  }

  std::int64_t whole(const Member& member, std::int64_t least, std::int64_t most) const {
    const Value value = member.value;
    const bool is_whole = value.type() == Type::kNumber && value.is_whole();
    const std::optional<std::int64_t> number = is_whole ? value.integer() : std::nullopt;
    if (!number || *number < least || *number > most) {
      throw Problem(at(member.name), messages::kNoWholeNumber(least, most));
    }
    return *number;
  }

  bool boolean(const Member& member) const {
    if (member.value.type() != Type::kBoolean) throw Problem(at(member.name), messages::kNoBoolean);
    return member.value.boolean();
  }

  // Returns the only member of an object.
  static Value only_member(Value value, std::string_view name, const std::string& place) {
    if (!value.is_object()) throw Problem(place, messages::kNoObject);
    bool is_there = false;
    for (const Member member : value.object()) {
      const std::string here = messages::kMemberOf(place, member.name);
      if (member.name != name) throw UnknownMember(here, member.name, {std::string(name)});
      if (std::exchange(is_there, true)) throw Problem(here, messages::kTwice);
    }
    return value.object().find(name);
  }

  void read_filters(Value value, const std::string& place) {
    constexpr std::string_view kFilters = "Filters";
    const Value filters = only_member(value, kFilters, place);
    const std::string list = messages::kMemberOf(place, kFilters);
    if (!filters) return;  // {} is none
    if (!filters.is_array()) throw Problem(list, messages::kNoList);
    if (filters.array().size() > EventSourceMapping::kMaxFilters) {
      throw Problem(list, messages::kTooManyFilters);
    }
    for (const Value filter : filters.array()) {
      const std::string element = messages::kElementOf(list, mapping_.filters.size());
      const Value pattern = only_member(filter, "Pattern", element);
      if (!pattern.is_string()) throw Problem(element, messages::kNoPattern);
      try {
        mapping_.filters.emplace_back(pattern.string());
      } catch (const FilterPatternError& error) {
        throw Problem(element, error.what());
      }
    }
  }

  void read_response_types(Value value, const std::string& place) {
    if (!value.is_array()) throw Problem(place, messages::kNoList);
    for (const Value type : value.array()) {
      if (type.string() != "ReportBatchItemFailures" || mapping_.reports_item_failures) {
        throw Problem(place, messages::kNoResponseType);
      }
      mapping_.reports_item_failures = true;
    }
  }

  void read_destination(Value value, const std::string& place) {
    constexpr std::string_view kOnFailure = "OnFailure";
    constexpr std::string_view kDestination = "Destination";
    constexpr std::string_view kFile = "file://";
    const Value on_failure = only_member(value, kOnFailure, place);
    if (!on_failure) return;  // {} is none
    const std::string parent = messages::kMemberOf(place, kOnFailure);
    const Value destination = only_member(on_failure, kDestination, parent);
    if (!destination) return;
    const std::string_view text = destination.string();
    const std::string here = messages::kMemberOf(parent, kDestination);
    if (text.starts_with("arn:")) throw Problem(here, messages::kDestinationArn);
    if (text.starts_with(kFile)) {
      const std::string_view path = text.substr(kFile.size());
      if (!path.starts_with('/') || path.ends_with('/') || path.find('\0') != path.npos) {
        throw Problem(here, messages::kNoDestination);
      }
      mapping_.on_failure.file = path;
      return;
    }
    const std::size_t scheme = text.find("://");
    const std::size_t slash = scheme == text.npos ? text.npos : text.find('/', scheme + 3);
    mapping_.on_failure.url = client::parse_endpoint_url(text.substr(0, slash));
    mapping_.on_failure.url_path = slash == text.npos ? "/" : text.substr(slash);
    const bool is_plain = std::ranges::all_of(
        mapping_.on_failure.url_path, [](char c) { return c > ' ' && c < 127 && c != '#'; });
    if (!mapping_.on_failure.url || !is_plain) throw Problem(here, messages::kNoDestination);
  }

  const Value value_;
  const std::string place_;
  std::optional<client::EndpointUrl> endpoint_;
  std::set<std::string_view> seen_;
  std::vector<std::string> known_;
  EventSourceMapping mapping_;
};

std::vector<EventSourceMapping> read_all(Value value) {
  if (!value.is_object()) throw Problem({}, messages::kNoObject);
  const std::vector<std::string> known = {std::string(kEndpoint), std::string(kMappings)};
  for (const Member member : value.object()) {
    if (std::ranges::count(known, member.name) > 0) continue;
    throw UnknownMember(std::string(member.name), member.name, known);
  }
  std::optional<client::EndpointUrl> endpoint;
  std::set<std::string_view> seen;
  for (const Member member : value.object()) {
    if (!seen.insert(member.name).second) {
      throw Problem(std::string(member.name), messages::kTwice);
    }
    if (member.name == kEndpoint) {
      endpoint = read_endpoint(member.value, std::string(kEndpoint));
    }
  }
  const Value list = value.object().find(kMappings);
  const std::string place(kMappings);
  if (!list.is_array()) throw Problem(place, messages::kNoList);
  if (list.array().size() > kMaxMappings) throw Problem(place, messages::kTooManyMappings);
  std::vector<EventSourceMapping> mappings;
  std::set<std::string> ids;
  for (const Value element : list.array()) {
    const std::string here = messages::kElementOf(place, mappings.size());
    mappings.push_back(MappingReader(element, here, endpoint).read());
    if (!ids.insert(mappings.back().id()).second) throw Problem(here, messages::kSecondMapping);
  }
  return mappings;
}

}  // namespace

std::string EventSourceMapping::id() const {
  constexpr std::size_t kDigits = 16;
  const char* const kind = table_name.empty() ? "\nstream\n" : "\ntable\n";
  return client::to_hex(client::sha256(function_name + kind + source())).substr(0, kDigits);
}

std::vector<EventSourceMapping> read_mappings(std::string text, const std::string& file) {
  api::json::Document document;
  const std::optional<Value> value = document.parse(text);
  if (!value) throw MappingFileError(messages::kWrongMappingFile(file, messages::kNoJson));
  try {
    return read_all(*value);
  } catch (const Problem& problem) {
    throw MappingFileError(messages::kWrongMappingFile(file, problem.what()));
  }
}

std::vector<EventSourceMapping> read_mapping_file(const std::string& path) {
  try {
    return read_mappings(system::read_whole_file(path, kMaxMappingFileMegabytes).text, path);
  } catch (const system::UnreadableFile& error) {
    throw MappingFileError(messages::kUnreadableMappingFile(path, error.what()));
  }
}

}  // namespace magneto::server::feeds
