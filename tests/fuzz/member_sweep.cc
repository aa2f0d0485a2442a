// member_sweep [--singly] [<operation>...]: members of all names and kinds in valid requests.
//
// Takes every structure of every operation's shape, also inside lists, maps and attribute values.
// Adds each member name of the API to it, with a value of each kind, in a request that is otherwise
// valid (valid_calls.txt). The names are those of dictionaries/members.dict and of all shapes. A
// member that the structure's shape knows must be answered below 500. A member that it does not
// know must change nothing, since AWS ignores it. These are sent all at once or, to find the one at
// fault, one by one.
//
// A child process makes the requests, and counts them in shared memory. If a member kills it,
// another child continues after that member. So one run finds all such members.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/operation_table.h"
#include "tests/fuzz/corpus.h"
#include "tests/fuzz/sample_database.h"
#include "tests/fuzz/valid_calls.h"

namespace magneto::fuzz {
namespace {

using api::Kind;
using api::MemberShape;
using api::Shape;
using api::json::Value;

constexpr std::size_t kMaxFaults = 100;
constexpr std::string_view kValues[] = {
    "true",  "0",         "1.5",  "\"x\"",       "[]",          "[\"x\"]",
    "{}",    "{\"x\":1}", "null", "[{\"x\":1}]", "[[[\"x\"]]]", "{\"x\":{\"x\":[{\"x\":true}]}}",
    "[1,2]", "{\"S\":1}"};

constexpr const api::Operation* kOperations[] = {
#define MAGNETO_LIST_OPERATION(name) &api::k##name,
    MAGNETO_OPERATIONS(MAGNETO_LIST_OPERATION)
#undef MAGNETO_LIST_OPERATION
};

// The types of an attribute value are the members of its structure.
constexpr Shape kStringList = api::list_shape(api::kStringShape);
constexpr Shape kValueList = api::list_shape(api::kAttributeValueShape);
constexpr Shape kValueMap = api::map_shape(api::kAttributeValueShape);
constexpr MemberShape kValueMembers[] = {{"S", &api::kStringShape},
                                         {"N", &api::kStringShape},
                                         {"B", &api::kStringShape},
                                         {"SS", &kStringList},
                                         {"NS", &kStringList},
                                         {"BS", &kStringList},
                                         {"BOOL", &api::kBooleanShape},
                                         {"NULL", &api::kBooleanShape},
                                         {"L", &kValueList},
                                         {"M", &kValueMap}};

std::span<const MemberShape> members_of(const Shape& shape) {
  return shape.kind == Kind::kAttributeValue ? std::span<const MemberShape>(kValueMembers)
                                             : shape.members;
}

bool knows(const Shape& shape, std::string_view name) {
  return std::ranges::any_of(members_of(shape),
                             [name](const MemberShape& one) { return one.name == name; });
}

// Renders a request with more members at the end of one of its structures, the one that `place`
// counts to; lists the structures on the way.
class Rendering {
 public:
  struct Place {
    std::string path;  // TransactItems[].Get
    const Shape* shape;
  };

  Rendering(std::size_t place, std::string_view members) : place_(place), members_(members) {}

  std::string text;
  std::vector<Place> places;

  void value(Value value, const Shape& shape, const std::string& path) {
    if (value.is_object()) {
      object(value, shape, path);
    } else if (value.is_array() && shape.kind == Kind::kList) {
      text += '[';
      for (const Value element : value.array()) {
        separate('[');
        this->value(element, *shape.element, path + "[]");
      }
      text += ']';
    } else {
      append_compact(value, text);
    }
  }

 private:
  void separate(char opening) {
    if (text.back() != opening) text += ',';
  }

  void object(Value value, const Shape& shape, const std::string& path) {
    const bool is_place = shape.kind != Kind::kMap && places.size() == place_;
    if (shape.kind != Kind::kMap) places.push_back({path, &shape});
    text += '{';
    for (const api::json::Member member : value.object()) {
      separate('{');
      api::json::append_string(text, member.name);
      text += ':';
      const Shape* inner = shape.kind == Kind::kMap ? shape.element : nullptr;
      for (const MemberShape& one : members_of(shape)) {
        if (one.name == member.name) inner = one.shape;
      }
      if (inner == nullptr) throw std::runtime_error("no shape for " + path);
      const std::string name = shape.kind == Kind::kMap ? "{}" : "." + std::string(member.name);
      this->value(member.value, *inner, path + name);
    }
    if (is_place && !members_.empty()) {
      separate('{');
      text += members_;
    }
    text += '}';
  }

  const std::size_t place_;
  const std::string_view members_;
};

Rendering render(const Call& call, std::size_t place, std::string_view members) {
  std::string copy = call.body;
  api::json::Document document;
  const auto body = document.parse(copy);
  if (!body) throw std::runtime_error("no JSON: " + call.body);
  Rendering rendering(place, members);
  rendering.value(*body, call.operation->input, std::string(call.operation->name));
  return rendering;
}

void collect_names(const Shape& shape, std::set<std::string>& names) {
  for (const MemberShape& member : members_of(shape)) {
    names.emplace(member.name);
    if (shape.kind != Kind::kAttributeValue) collect_names(*member.shape, names);
  }
  if (shape.element != nullptr) collect_names(*shape.element, names);
}

// Each structure of the shape, and each attribute value that is no part of another.
void collect_structures(const Shape& shape, const std::string& path, std::set<std::string>& out) {
  if (shape.kind == Kind::kStructure || shape.kind == Kind::kAttributeValue) out.insert(path);
  if (shape.kind == Kind::kStructure) {
    for (const MemberShape& member : shape.members) {
      collect_structures(*member.shape, path + "." + std::string(member.name), out);
    }
  }
  if (shape.element != nullptr) {
    collect_structures(*shape.element, path + (shape.kind == Kind::kMap ? "{}" : "[]"), out);
  }
}

// Returns the structures that no call covers. The calls should cover all.
std::vector<std::string> missing_structures(const std::vector<ValidCall>& calls) {
  std::set<std::string> structures;
  for (const api::Operation* operation : kOperations) {
    collect_structures(operation->input, std::string(operation->name), structures);
  }
  for (const ValidCall& valid : calls) {
    for (const auto& place : render(valid.call, 0, {}).places) structures.erase(place.path);
  }
  return {structures.begin(), structures.end()};
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from)) {
    text.replace(at, from.size(), to);
  }
}

// Returns the string after the first "name":" of an answer.
std::string text_behind(const std::string& answer, const std::string& name) {
  const std::string before = "\"" + name + "\":\"";
  const std::size_t at = answer.find(before);
  if (at == std::string::npos) throw std::runtime_error("no " + name + " in " + answer);
  const std::size_t start = at + before.size();
  return answer.substr(start, answer.find('"', start) - start);
}

// Shared between the processes.
struct Progress {
  std::atomic<std::uint64_t> probe{0};  // the one under way, counted from 1
  std::atomic<std::uint64_t> requests{0};
};

// One request: a call, with members added in one of its places.
struct Probe {
  std::size_t call;
  std::size_t place;
  std::string path;
  std::string name;
  std::string members;
  bool is_known;
  bool is_strict;  // an unknown member is refused here, see refuses_unknown()
};

// The deserializer of SearchVectors counts unknown members of an attribute value too.
bool refuses_unknown(const Call& call, const Shape& shape) {
  return call.operation->deserialize != nullptr && shape.kind == Kind::kAttributeValue;
}

class Sweep {
 public:
  Sweep(std::vector<ValidCall> calls, const std::vector<std::string>& dictionary, bool singly)
      : calls_(std::move(calls)), names_(dictionary.begin(), dictionary.end()), singly_(singly) {
    for (const api::Operation* operation : kOperations) collect_names(operation->input, names_);
    collect_names(api::kAttributeValueShape, names_);
  }

  std::size_t name_count() const { return names_.size(); }

  // All probes in their order, numbered from 1.
  void each(const std::function<void(std::uint64_t number, const Probe& probe)>& visit) const {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const auto places = render(calls_[i].call, 0, {}).places;
      for (std::size_t place = 0; place < places.size(); ++place) {
        const auto add = [&](const std::string& name, std::string members, bool is_known) {
          visit(++number, {i, place, places[place].path, name, std::move(members), is_known,
                           refuses_unknown(calls_[i].call, *places[place].shape)});
        };
        for (const std::string& name : names_) {
          const bool is_known = knows(*places[place].shape, name);
          if (!is_known && !singly_) continue;
          for (const std::string_view value : kValues) add(name, member(name, value), is_known);
        }
        for (const std::string_view value : kValues) {
          if (!singly_) add("unknown members", unknown_members(*places[place].shape, value), false);
        }
      }
    }
  }

  // In the child: all probes from `first` on. Ends the process at the first fault.
  void run(std::uint64_t first, Progress& progress) {
    SampleDatabase database;
    find_stream(database);
    std::vector<int> statuses;
    bool all_valid = true;
    for (const ValidCall& valid : calls_) {
      const auto answer = perform(database, valid, valid.call.body);
      statuses.push_back(answer.status);
      if (answer.status == 200) continue;
      std::fprintf(stderr, "no valid call: %s\n%s\n", valid.call.body.c_str(), answer.body.c_str());
      all_valid = false;
    }
    if (!all_valid) std::_Exit(2);
    each([&](std::uint64_t number, const Probe& probe) {
      if (number < first) return;
      progress.probe = number;
      ++progress.requests;
      const ValidCall& valid = calls_[probe.call];
      const auto answer =
          perform(database, valid, render(valid.call, probe.place, probe.members).text);
      constexpr int kRefused = 400;
      const int expected = probe.is_strict ? kRefused : statuses[probe.call];
      if (probe.is_known || answer.status == expected) return;
      std::fprintf(stderr, "answered otherwise: %.300s\n", answer.body.c_str());
      std::_Exit(3);
    });
  }

 private:
  static std::string member(const std::string& name, std::string_view value) {
    return ("\"" + name + "\":").append(value);
  }

  std::string unknown_members(const Shape& shape, std::string_view value) const {
    std::string members;
    for (const std::string& name : names_) {
      if (knows(shape, name)) continue;
      if (!members.empty()) members += ',';
      members += member(name, value);
    }
    return members;
  }

  static bool uses_replicas(const ValidCall& valid) {
    return std::ranges::any_of(valid.before, [](const Call& call) {
      return call.body.find("Replica") != std::string::npos;
    });
  }

  static SampleDatabase::Answer perform(SampleDatabase& database, const ValidCall& valid,
                                        std::string_view body) {
    for (const Call& call : valid.before) {
      database.call(call.operation, call.body,
                    call.region.empty() ? api::Caller{}.region : call.region);
      if (uses_replicas(valid)) database.database().settle();  // they come in the background
    }
    std::string text(body);
    if (text.find(kBackup) != std::string::npos) replace(text, kBackup, database.backup_arn());
    auto answer = database.call(valid.call.operation, text);
    // A table with an index that is being made cannot be deleted, nor one that is restored.
    if (uses_replicas(valid) || valid.call.operation == &api::kUpdateTable ||
        valid.call.operation == &api::kRestoreTableFromBackup ||
        valid.call.operation == &api::kRestoreTableToPointInTime) {
      database.database().settle();
    }
    return answer;
  }

  void find_stream(SampleDatabase& database) {
    const auto ask = [&database](std::string_view operation, const std::string& body,
                                 const std::string& name) {
      return text_behind(database.call(operation, body).body, name);
    };
    const std::string stream = ask("ListStreams", R"({"TableName":"tab"})", "StreamArn");
    const std::string shard =
        ask("DescribeStream", R"({"StreamArn":")" + stream + "\"}", "ShardId");
    const std::string iterator = ask("GetShardIterator",
                                     R"({"ShardIteratorType":"TRIM_HORIZON","StreamArn":")" +
                                         stream + R"(","ShardId":")" + shard + "\"}",
                                     "ShardIterator");
    for (ValidCall& valid : calls_) {
      replace(valid.call.body, "${stream}", stream);
      replace(valid.call.body, "${shard}", shard);
      replace(valid.call.body, "${iterator}", iterator);
    }
  }

  static constexpr std::string_view kBackup = "${backup}";

  std::vector<ValidCall> calls_;
  std::set<std::string> names_;
  const bool singly_;
};

// How a child ended that did not end well.
std::string describe_end(int status) {
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == 3) return "answered otherwise";
  return "ended with " + std::to_string(WEXITSTATUS(status));
}

// Returns the first probe after `number` for another member. `name` describes the probe `number`.
std::uint64_t find_next(const Sweep& sweep, std::uint64_t number, std::string& name) {
  std::uint64_t next = 0;
  std::string whole;
  sweep.each([&](std::uint64_t at, const Probe& probe) {
    if (at == number) {
      whole = probe.path + " " + probe.name;
      name = whole + " in " + probe.members.substr(0, 60);
    } else if (at > number && next == 0 && probe.path + " " + probe.name != whole) {
      next = at;
    }
  });
  return next;
}

int run_sweep(std::vector<std::string> wanted) {
  const bool singly = std::erase(wanted, "--singly") > 0;
  const std::string folder = MAGNETO_SOURCE_DIR "/tests/fuzz/";
  std::vector<ValidCall> calls = read_calls(folder + "valid_calls.txt");
  for (const std::string& path : missing_structures(calls)) {
    std::fprintf(stderr, "valid_calls.txt has no call with %s\n", path.c_str());
    return 1;
  }
  std::erase_if(calls, [&wanted](const ValidCall& valid) {
    return !wanted.empty() && std::ranges::find(wanted, valid.call.operation->name) == wanted.end();
  });
  std::vector<std::string> names;
  for (const std::string& word : read_dictionary(folder + "dictionaries/members.dict")) {
    names.push_back(word.substr(1, word.size() - 3));  // "Name":
  }
  Sweep sweep(std::move(calls), names, singly);
  void* const shared =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
  Progress& progress = *new (shared) Progress;
  std::size_t faults = 0;
  for (std::uint64_t first = 1; first != 0 && faults < kMaxFaults;) {
    progress.probe = 0;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
      sweep.run(first, progress);
      std::exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) throw std::runtime_error("lost the child process");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    ++faults;
    if (progress.probe == 0) {
      std::fprintf(stderr, "%s before the sweep\n", describe_end(status).c_str());
      return 1;
    }
    std::string name;
    first = find_next(sweep, progress.probe, name);
    std::fprintf(stderr, "%s: %s\n", describe_end(status).c_str(), name.c_str());
  }
  std::printf("%llu requests with %zu names: %zu faults\n",
              static_cast<unsigned long long>(progress.requests.load()), sweep.name_count(),
              faults);
  return faults == 0 ? 0 : 1;
}

}  // namespace
}  // namespace magneto::fuzz

int main(int argc, char** argv) {
  try {
    return magneto::fuzz::run_sweep({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "member_sweep: %s\n", error.what());
    return 2;
  }
}
