#include "server/tools/replay/answer_difference.h"

#include <algorithm>

namespace magneto::server::tools {
namespace {

using api::json::Member;
using api::json::Object;
using api::json::Type;
using api::json::Value;

constexpr std::string_view kVolatile[] = {"TableId",
                                          "CreationDateTime",
                                          "CreationRequestDateTime",
                                          "LatestStreamArn",
                                          "LatestStreamLabel",
                                          "StreamArn",
                                          "StreamLabel",
                                          "ShardIterator",
                                          "NextShardIterator",
                                          "ShardId",
                                          "ParentShardId",
                                          "SequenceNumber",
                                          "NextToken",
                                          "StartingSequenceNumber",
                                          "EndingSequenceNumber",
                                          "eventID",
                                          "ApproximateCreationDateTime",
                                          "LastEvaluatedShardId",
                                          "LastUpdateDateTime",
                                          "LastUpdateToPayPerRequestDateTime",
                                          "LastDecreaseDateTime",
                                          "LastIncreaseDateTime",
                                          "LatestRestorableDateTime",
                                          "EarliestRestorableDateTime",
                                          "BackupArn",
                                          "BackupCreationDateTime",
                                          "LastStreamArn",
                                          "ItemCount",
                                          "TableSizeBytes",
                                          "IndexSizeBytes",
                                          "LastEvaluatedStreamArn"};

std::string text_of(Value value) {
  constexpr std::size_t kMostShown = 200;
  std::string text;
  if (!value) return text;
  api::json::append_compact(value, text);
  if (text.size() > kMostShown) text.resize(kMostShown);
  return text;
}

// Returns a text that is equal for equal values, in any order of their members.
std::string canonical(Value value) {
  std::string text;
  if (value.is_object()) {
    std::vector<std::string> members;
    for (const Member member : value.object()) {
      members.push_back(std::string(member.name) + '\0' + canonical(member.value));
    }
    std::ranges::sort(members);
    for (const std::string& member : members) text += "{" + member + "}";
  } else if (value.is_array()) {
    for (const Value one : value.array()) text += "[" + canonical(one) + "]";
  } else {
    api::json::append_compact(value, text);
  }
  return text;
}

bool is_set_name(std::string_view name) { return name == "SS" || name == "NS" || name == "BS"; }

class Comparison {
 public:
  Comparison(std::string_view operation, bool exact, std::size_t most)
      : is_batch_get_(operation == "BatchGetItem"), exact_(exact), most_(most) {}

  void compare(std::string_view name, Value expected, Value found) {
    if (differences_.size() >= most_) return;
    // In an item, an attribute with such a name is an object.
    const bool are_plain = expected && found && !expected.is_object() && !found.is_object();
    if (!exact_ && are_plain && is_volatile_member(name)) return;
    const bool is_same_kind = expected && found && expected.type() == found.type();
    if (is_same_kind && expected.is_object()) {
      compare_objects(expected.object(), found.object());
    } else if (is_same_kind && expected.is_array()) {
      compare_arrays(name, expected, found);
    } else if (!is_same_kind || !is_same_scalar(expected, found)) {
      note(expected, found);
    }
  }

  std::vector<AnswerDifference> take() { return std::move(differences_); }

 private:
  static bool is_same_scalar(Value expected, Value found) {
    if (expected.type() == Type::kNumber) return expected.number() == found.number();
    if (expected.type() == Type::kBoolean) return expected.boolean() == found.boolean();
    return expected.string() == found.string();
  }

  void compare_objects(Object expected, Object found) {
    ++depth_;
    for (const Member member : expected) {
      within("." + std::string(member.name),
             [&] { compare(member.name, member.value, found.find(member.name)); });
    }
    for (const Member member : found) {
      if (expected.find(member.name)) continue;
      within("." + std::string(member.name), [&] { compare(member.name, {}, member.value); });
    }
    --depth_;
  }

  void compare_arrays(std::string_view name, Value expected, Value found) {
    std::vector<Value> left;
    std::vector<Value> right;
    for (const Value value : expected.array()) left.push_back(value);
    for (const Value value : found.array()) right.push_back(value);
    // The depth below Responses and a table's name.
    constexpr int kDepthOfItems = 2;
    if (is_set_name(name) || (is_batch_get_ && depth_ == kDepthOfItems)) {
      std::ranges::sort(left, {}, canonical);
      std::ranges::sort(right, {}, canonical);
    }
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      within("[" + std::to_string(i) + "]", [&] {
        compare({}, i < left.size() ? left[i] : Value(), i < right.size() ? right[i] : Value());
      });
    }
  }

  template <typename Work>
  void within(const std::string& step, Work work) {
    const std::size_t size = path_.size();
    path_ += step;
    work();
    path_.resize(size);
  }

  void note(Value expected, Value found) {
    if (differences_.size() >= most_) return;
    const std::string path = path_.starts_with('.') ? path_.substr(1) : path_;
    differences_.push_back({path, text_of(expected), text_of(found)});
  }

  const bool is_batch_get_;
  const bool exact_;
  const std::size_t most_;
  int depth_ = 0;
  std::string path_;
  std::vector<AnswerDifference> differences_;
};

}  // namespace

bool is_volatile_member(std::string_view name) {
  return std::ranges::find(kVolatile, name) != std::end(kVolatile);
}

std::vector<AnswerDifference> find_differences(std::string_view operation, Value expected,
                                               Value found, bool exact, std::size_t most) {
  Comparison comparison(operation, exact, most);
  comparison.compare({}, expected, found);
  return comparison.take();
}

}  // namespace magneto::server::tools
