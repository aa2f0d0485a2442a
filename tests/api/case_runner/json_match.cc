#include "tests/api/case_runner/json_match.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace magneto::api {
namespace {

using json::Type;
using json::Value;

constexpr std::string_view kAbsent = "<absent>";
constexpr std::string_view kUnordered = "<unordered>";

std::string shown(Value value) {
  std::string out;
  json::append_compact(value, out);
  return out;
}

bool is_text(Value value, std::string_view text) {
  return value.is_string() && value.string() == text;
}

class Matcher {
 public:
  Matcher(bool contains, SavedTexts& saved) : contains_(contains), saved_(saved) {}

  std::string compare(Value expected, Value actual, const std::string& path) {
    if (expected.is_string()) {
      if (const auto result = placeholder(expected.string(), actual, path)) return *result;
    }
    if (expected.type() != actual.type()) return differs(expected, actual, path);
    switch (expected.type()) {
      case Type::kObject:
        return compare_objects(expected, actual, path);
      case Type::kArray:
        return compare_arrays(expected, actual, path);
      case Type::kNumber:
        return expected.number() == actual.number() ? "" : differs(expected, actual, path);
      default:
        return shown(expected) == shown(actual) ? "" : differs(expected, actual, path);
    }
  }

 private:
  static std::string differs(Value expected, Value actual, const std::string& path) {
    return "at " + path + "\n    expected " + shown(expected) + "\n    actual   " + shown(actual);
  }

  std::optional<std::string> placeholder(std::string_view text, Value actual,
                                         const std::string& path) {
    constexpr std::string_view kSave = "<save ";
    if (text == "<any>") return "";
    if (text == "<number>" || text == "<string>") {
      const Type type = text == "<number>" ? Type::kNumber : Type::kString;
      if (actual.type() == type) return "";
      return "at " + path + "\n    expected a " + std::string(text.substr(1, 6)) +
             "\n    actual   " + shown(actual);
    }
    if (text.starts_with(kSave) && text.ends_with(">")) {
      saved_[std::string(text.substr(kSave.size(), text.size() - kSave.size() - 1))] =
          shown(actual);
      return "";
    }
    return std::nullopt;
  }

  std::string compare_objects(Value expected, Value actual, const std::string& path) {
    for (const json::Member member : expected.object()) {
      const Value found = actual.object().find(member.name);
      const std::string inner = path + "." + std::string(member.name);
      if (is_text(member.value, kAbsent)) {
        if (found) return "at " + inner + "\n    expected none\n    actual   " + shown(found);
        continue;
      }
      if (!found) {
        return "at " + inner + "\n    expected " + shown(member.value) + "\n    actual   none";
      }
      std::string difference = compare(member.value, found, inner);
      if (!difference.empty()) return difference;
    }
    if (contains_) return "";
    for (const json::Member member : actual.object()) {
      if (!expected.object().find(member.name)) {
        return "at " + path + "." + std::string(member.name) +
               "\n    expected none\n    actual   " + shown(member.value);
      }
    }
    return "";
  }

  std::string compare_arrays(Value expected, Value actual, const std::string& path) {
    std::vector<Value> wanted;
    for (const Value element : expected.array()) wanted.push_back(element);
    std::vector<Value> found;
    for (const Value element : actual.array()) found.push_back(element);
    const bool unordered = !wanted.empty() && is_text(wanted.front(), kUnordered);
    if (unordered) wanted.erase(wanted.begin());
    if (wanted.size() != found.size()) {
      return "at " + path + "\n    expected " + std::to_string(wanted.size()) +
             " elements\n    actual   " + std::to_string(found.size()) + ": " + shown(actual);
    }
    if (unordered) return compare_sets(wanted, found, path);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      std::string difference = compare(wanted[i], found[i], path + "[" + std::to_string(i) + "]");
      if (!difference.empty()) return difference;
    }
    return "";
  }

  std::string compare_sets(const std::vector<Value>& wanted, std::vector<Value> found,
                           const std::string& path) {
    for (const Value element : wanted) {
      const auto match = std::find_if(found.begin(), found.end(), [&](Value candidate) {
        return compare(element, candidate, path).empty();
      });
      if (match == found.end()) {
        return "at " + path + "\n    expected an element " + shown(element) + "\n    actual   none";
      }
      found.erase(match);
    }
    return "";
  }

  const bool contains_;
  SavedTexts& saved_;
};

}  // namespace

std::string mismatch(Value expected, Value actual, bool contains, SavedTexts& saved) {
  return Matcher(contains, saved).compare(expected, actual, "$");
}

}  // namespace magneto::api
